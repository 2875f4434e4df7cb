internal import CommandSupport
internal import DeliveryHTTP
internal import Foundation

/// The admin token of a collector. Read from the environment or a file, never from an argument, which `ps` shows.
enum AdminToken {
    /// The variable that holds the token.
    static let variable = "TRACKING_COLLECTOR_TOKEN"

    /// The token in the environment. `Trackctl` sets it for each run.
    @TaskLocal static var environment: String?

    /// The maximum number of bytes to read from the file.
    private static let longestFile = 4096

    /// Reads the token from a file if one is given, else from the environment.
    ///
    /// - server: The collector's name in messages.
    /// - Throws: ``CommandFailure``: `usage` if there is no token, or if other users may read the file; `noInput`,
    ///   `inputOutput`, `dataError` for an unusable file.
    static func read(file: String?, for server: String) throws -> WriteKey {
        if let file { return try key(try text(ofFile: file), from: file) }
        guard let environment, !environment.isEmpty else {
            throw CommandFailure(
                .usage, "no admin token for \(server): set \(variable), or pass a file with --token-file")
        }
        return try key(environment, from: variable)
    }

    private static func key(_ text: String, from origin: String) throws -> WriteKey {
        do throws(DeliverySetupError) {
            return try WriteKey(text.trimmingCharacters(in: .whitespacesAndNewlines))
        } catch {
            throw CommandFailure(.dataError, "no valid token in \(origin): \(error.message)")
        }
    }

    private static func text(ofFile path: String) throws -> String {
        // Do not wait for a writer if the path is a pipe.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw CommandFailure(
                errno == ENOENT ? .noInput : .inputOutput,
                "cannot read the token file \(path): \(String(cString: strerror(errno))); check its name and permissions"
            )
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw CommandFailure(.inputOutput, "the token file \(path) is not a regular file: choose another file")
        }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw CommandFailure(
                .usage,
                """
                other users may read or write the token file \(path) (mode \(mode)): run chmod 600 \(path), and change \
                the token if others have read it
                """
            )
        }
        var buffer = [UInt8](repeating: 0, count: longestFile)
        let count = Foundation.read(descriptor, &buffer, buffer.count)
        guard count >= 0 else {
            throw CommandFailure(
                .inputOutput, "cannot read the token file \(path): \(String(cString: strerror(errno)))")
        }
        return String(decoding: buffer[..<count], as: UTF8.self)
    }
}
