package import ArgumentParser

/// How a command connects to NATS servers, besides their addresses.
package struct StreamAccess: ParsableArguments {
    @Option(help: ArgumentHelp("File with a NATS user's JWT and key. Default: none.", valueName: "file"))
    package var streamCredentials: String?

    @Option(
        help: ArgumentHelp(
            "Certificate authority of the NATS servers, in PEM. Default: the system's.", valueName: "file"))
    package var streamAuthority: String?

    @Option(
        help: ArgumentHelp(
            "This program's certificate for NATS servers that verify clients, in PEM. Default: none.",
            valueName: "file"))
    package var streamCertificate: String?

    @Option(help: ArgumentHelp("Private key of the certificate, in PEM.", valueName: "file"))
    package var streamKey: String?

    package init() {}

    package func validate() throws {
        guard (streamCertificate == nil) == (streamKey == nil) else {
            throw ValidationError("pass both --stream-certificate and --stream-key, or neither")
        }
    }
}
