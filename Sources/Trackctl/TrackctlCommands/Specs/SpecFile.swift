internal import CommandSupport
package import EventImport
internal import EventQuery
internal import Foundation
internal import JSONLines

/// Reads JSON files that configure a command.
enum SpecFile {
    /// The maximum size in bytes: 1 MiB. Specs are written by hand, so a longer file is probably the wrong one.
    private static let maximumLength = 1 << 20

    /// Reads a file.
    ///
    /// - Parameters:
    /// - noun: The kind of file in messages: `spec`.
    /// - depth: The number of levels for which members have positions.
    /// - Throws: ``CommandFailure``: `noInput`, `inputOutput`; `dataError` with the line and column of the error.
    static func read<Spec>(
        _ path: String, noun: String, depth: Int, _ body: (SpecNode) throws(JSONSyntaxError) -> Spec
    ) throws -> Spec {
        guard access(path, F_OK) == 0 else {
            throw CommandFailure(.noInput, "cannot open \(path): no such file; pass the file with the \(noun)")
        }
        let data = try content(path)
        guard !data.isEmpty else {
            throw CommandFailure(.dataError, "\(path) is empty: write the \(noun) to it, or pass another file")
        }
        guard data.count <= maximumLength else {
            throw CommandFailure(.dataError, "\(path) is longer than 1 MiB: pass the file with the \(noun)")
        }
        let bytes = [UInt8](data)
        do throws(JSONSyntaxError) {
            return try body(SpecNode(bytes, 0..<bytes.count, depth: depth))
        } catch {
            let (line, column) = error.position(in: bytes)
            throw CommandFailure(.dataError, "\(path):\(line):\(column): \(error.reason)")
        }
    }

    /// The first bytes of a file, up to one more than the limit.
    private static func content(_ path: String) throws(CommandFailure) -> Data {
        do {
            guard let file = FileHandle(forReadingAtPath: path) else { throw CocoaError(.fileReadNoPermission) }
            // Nil means the end of the file.
            return try file.read(upToCount: maximumLength + 1) ?? Data()
        } catch {
            throw CommandFailure(.inputOutput, "cannot read \(path): check that it is a file, and its permissions")
        }
    }
}

extension ImportMapping {
    /// Reads a mapping file.
    ///
    /// - Throws: `CommandFailure`: `noInput`, `inputOutput`; `dataError` with the line and column of the error.
    package init(path: String) throws {
        self = try SpecFile.read(path, noun: "mapping", depth: Self.depth) { root throws(JSONSyntaxError) in
            try ImportMapping(root, now: SelectionOptions.now)
        }
    }
}
