internal import CommandSupport
internal import Foundation
internal import JSONLines

/// A file of JSON that a person wrote to say what a command does.
enum SpecFile {
    /// Bytes: 1 MiB. Nobody writes a longer one by hand, so it is another file.
    private static let maximumLength = 1 << 20

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - noun: What messages call it: `spec`.
    ///   - depth: To how many levels members are told with their places.
    /// - Throws: ``CommandFailure``: `noInput`, `inputOutput`; `dataAtFault` with line and column of what is wrong.
    static func read<Spec>(
        _ path: String, noun: String, depth: Int, _ body: (SpecNode) throws(JSONSyntaxError) -> Spec
    ) throws -> Spec {
        guard access(path, F_OK) == 0 else {
            throw CommandFailure(.noInput, "\(path) does not exist: name the file with the \(noun)")
        }
        let data = try content(path)
        guard !data.isEmpty else {
            throw CommandFailure(.dataAtFault, "\(path) is empty: write the \(noun) into it, or name another file")
        }
        guard data.count <= maximumLength else {
            throw CommandFailure(.dataAtFault, "\(path) is longer than 1 MiB, so it is no \(noun)")
        }
        let bytes = [UInt8](data)
        do throws(JSONSyntaxError) {
            return try body(SpecNode(bytes, 0..<bytes.count, depth: depth))
        } catch {
            let before = bytes.prefix(error.offset)
            let line = before.count { $0 == 0x0A } + 1
            let column = before.count - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
            throw CommandFailure(.dataAtFault, "\(path):\(line):\(column): \(error.reason)")
        }
    }

    /// The first bytes of a file, one more than it may have.
    private static func content(_ path: String) throws(CommandFailure) -> Data {
        do {
            guard let file = FileHandle(forReadingAtPath: path) else { throw CocoaError(.fileReadNoPermission) }
            // Nil is the end of the file.
            return try file.read(upToCount: maximumLength + 1) ?? Data()
        } catch {
            throw CommandFailure(.inputOutput, "\(path) cannot be read: check that it is a file, and its permissions")
        }
    }
}
