internal import Foundation

/// A certificate and its key, in files in PEM, for servers in tests. Made by `openssl`.
public struct SelfSignedCertificate: Sendable {
    /// The path of the certificate, which is its own authority.
    public let certificate: String
    /// The path of the private key.
    public let key: String

    private static let program = "/usr/bin/openssl"

    /// Whether tests can make certificates.
    public static var isAvailable: Bool { FileManager.default.isExecutableFile(atPath: program) }

    /// Makes a certificate that is valid for two days.
    ///
    /// - Parameters:
    ///   - folder: Where the files are created: `name.pem` and `name-key.pem`.
    ///   - name: The subject.
    ///   - host: The host that it is for, such as `IP:127.0.0.1` or `DNS:collector.example`.
    /// - Throws: ``Failure``, errors of starting the program.
    public init(in folder: TemporaryFolder, _ name: String = "server", for host: String = "IP:127.0.0.1") async throws {
        (certificate, key) = (folder.path("\(name).pem"), folder.path("\(name)-key.pem"))
        let made = try await runProgram(
            Self.program,
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=\(name)", "-addext",
                "subjectAltName=\(host)", "-keyout", key, "-out", certificate,
            ])
        guard made.exitCode == 0 else { throw Failure(output: made.stderr) }
    }

    /// What `openssl` printed.
    public struct Failure: Error { let output: String }
}
