internal import CommandSupport
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
            let before = bytes.prefix(error.offset)
            let line = before.count { $0 == 0x0A } + 1
            let column = before.count - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
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

/// A value of a spec with its position.
struct SpecNode {
    let value: JSONValue
    /// The offset from the start of the file, in bytes.
    let offset: Int
    /// The members of an object, in file order.
    let members: [Member]

    /// A member of an object.
    struct Member {
        let name: String
        let node: SpecNode
    }

    /// Parses a range of the file.
    ///
    /// - Parameter depth: The number of levels for which members have positions.
    /// - Throws: `JSONSyntaxError` with an offset in the file.
    init(_ bytes: [UInt8], _ range: Range<Int>, depth: Int) throws(JSONSyntaxError) {
        offset = range.lowerBound
        let parsed: (value: JSONValue, members: [JSONParser.Member])
        do throws(JSONSyntaxError) {
            parsed = try JSONParser.parseWithMembers(bytes[range])
        } catch {
            throw JSONSyntaxError(offset: range.lowerBound + error.offset, reason: error.reason)
        }
        value = parsed.value
        var members: [Member] = []
        for member in depth > 0 ? parsed.members : [] {
            let location = (range.lowerBound + member.range.lowerBound)..<(range.lowerBound + member.range.upperBound)
            members.append(Member(name: member.name, node: try SpecNode(bytes, location, depth: depth - 1)))
        }
        self.members = members
    }

    func issue(_ reason: String) -> JSONSyntaxError { JSONSyntaxError(offset: offset, reason: reason) }

    /// The text of a string.
    func text(_ name: String) throws(JSONSyntaxError) -> String {
        guard let text = value.stringValue else { throw issue("\(name) must be a string") }
        return text
    }

    /// The members by name. Unknown members are an error.
    ///
    /// - Throws: `JSONSyntaxError` unless the value is an object with only these members.
    func members(_ names: [String]) throws(JSONSyntaxError) -> [String: SpecNode] {
        guard case .object = value else { throw issue("expected an object with \(names.joined(separator: ", "))") }
        for member in members where !names.contains(member.name) {
            throw member.node.issue("unknown member '\(member.name)': use \(names.joined(separator: ", "))")
        }
        // The parser rejects duplicate names.
        return Dictionary(members.map { ($0.name, $0.node) }) { first, _ in first }
    }

    /// Checks that the value is the only allowed one.
    func expect(_ wanted: Bool, _ name: String) throws(JSONSyntaxError) {
        guard value == .bool(wanted) else { throw issue("\(name) must be \(wanted); remove it otherwise") }
    }
}
