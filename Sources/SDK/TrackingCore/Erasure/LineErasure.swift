internal import EventLog
internal import EventModel
internal import Foundation
internal import JSONLines
internal import Primitives

/// Removes users' lines from files of JSON lines. Other lines keep their bytes and their order.
package struct LineErasure: Sendable {
    private let userIDs: Set<String>
    /// The ids as they are written in a line, for lines that cannot be parsed.
    private let written: [[UInt8]]
    /// Whether a line belongs to a user if any of its texts is the user's id.
    private let isRecording: Bool

    init(of userIDs: [String], isRecording: Bool = false) {
        self.userIDs = Set(userIDs)
        self.isRecording = isRecording
        written = userIDs.map { id in
            var json = JSONWriter()
            json.string(id)
            return Array(json.bytes.dropFirst().dropLast())
        }
    }

    /// The rest of a file.
    struct Rest {
        var bytes: Int64 = 0
        /// The first line.
        var first: [UInt8]?
        /// The number of the new file in its file system, which it keeps when it replaces the old one.
        let fileNumber: UInt64
    }

    /// Rewrites a file if it has lines of the users. A kill at any point leaves either the old or the new file.
    ///
    /// - Parameters:
    ///   - length: Bytes after this length are removed, too.
    ///   - willReplace: Called before the new file replaces the old one.
    /// - Returns: nil if the file stays.
    /// - Throws: Errors of Foundation and of ``PrivateFile``.
    @discardableResult
    func rewrite(
        _ path: String, upTo length: Int64? = nil, willReplace: (Rest) throws -> Void = { _ in }
    ) throws -> Rest? {
        var isAffected = false
        try forEachLine(of: path, upTo: nil) { line, _ in isAffected = isAffected || !keeps(line) }
        guard isAffected else { return nil }
        let draft = path + Self.draftSuffix
        unlink(draft)
        let descriptor = try PrivateFile.open(draft, O_WRONLY | O_CREAT | O_EXCL)
        let output = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw SystemError("fstat", path: draft) }
            var rest = Rest(fileNumber: UInt64(status.st_ino))
            try forEachLine(of: path, upTo: length) { line, isComplete in
                guard keeps(line) else { return }
                rest.first = rest.first ?? line
                let bytes = line + (isComplete ? [UInt8(ascii: "\n")] : [])
                rest.bytes += Int64(bytes.count)
                try output.write(contentsOf: bytes)
            }
            try output.synchronize()
            try willReplace(rest)
            try SystemCalls().publish(draft, as: path)
            return rest
        } catch {
            unlink(draft)
            throw error
        }
    }

    /// The suffix of a file that is not complete yet, which `trackctl` recognizes, too.
    static let draftSuffix = ".erasing"

    private func keeps(_ line: [UInt8]) -> Bool {
        // The fast path for most lines: no id, and no escapes that could represent one.
        let holdsID = written.contains { line.firstRange(of: $0) != nil }
        if !holdsID, !line.contains(UInt8(ascii: "\\")) { return isWhole(line) }
        guard let json = JSONValue(validating: line) else { return !holdsID && isWhole(line) }
        if json[.userID]?.stringValue.map(userIDs.contains) ?? false { return false }
        return !(isRecording && names(json))
    }

    /// Whether a line is no truncated event, which may be a user's.
    private func isWhole(_ line: [UInt8]) -> Bool {
        !line.starts(with: #"{"v":"#.utf8) || line.last == UInt8(ascii: "}")
    }

    private func names(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let text): userIDs.contains(text)
        case .array(let elements): elements.contains(where: names)
        case .object(let members): members.contains { names($0.value) }
        case .integer, .null, .bool, .number: false
        }
    }

    private func forEachLine(
        of path: String, upTo length: Int64?, _ body: (_ line: [UInt8], _ isComplete: Bool) throws -> Void
    ) throws {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        var waiting: [UInt8] = []
        var left = length ?? .max
        while left > 0, let data = try file.read(upToCount: Int(min(left, 1 << 18))), !data.isEmpty {
            left -= Int64(data.count)
            waiting += data
            var start = 0
            while let end = waiting[start...].firstIndex(of: UInt8(ascii: "\n")) {
                try body(Array(waiting[start..<end]), true)
                start = end + 1
            }
            waiting.removeFirst(start)
        }
        if !waiting.isEmpty { try body(waiting, false) }
    }
}
