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
            throw CommandFailure(.dataError, "\(path) is empty: write the \(noun) into it, or name another file")
        }
        guard data.count <= maximumLength else {
            throw CommandFailure(.dataError, "\(path) is longer than 1 MiB, so it is no \(noun)")
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

/// A value of a spec, with its place in the file.
struct SpecNode {
    let value: JSONValue
    /// Where it begins, in bytes from the start of the file.
    let offset: Int
    /// Of an object, in the order of the file.
    let members: [Member]

    /// A member of an object.
    struct Member {
        let name: String
        let node: SpecNode
    }

    /// Reads a part of a file.
    ///
    /// - Parameter depth: To how many levels members are told with their places.
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
        guard let text = value.stringValue else { throw issue("\(name) is a text in quotes") }
        return text
    }

    /// The members, each by its name; what else there is, is refused.
    ///
    /// - Throws: `JSONSyntaxError` for anything but an object with some of these members.
    func members(_ names: [String]) throws(JSONSyntaxError) -> [String: SpecNode] {
        guard case .object = value else { throw issue("an object is expected, with \(names.joined(separator: ", "))") }
        for member in members where !names.contains(member.name) {
            throw member.node.issue("there is no \(member.name): there are \(names.joined(separator: ", "))")
        }
        // A name that stands twice was refused by the parser.
        return Dictionary(members.map { ($0.name, $0.node) }) { first, _ in first }
    }

    /// Checks that it is the one value that makes sense.
    func expect(_ wanted: Bool, _ name: String) throws(JSONSyntaxError) {
        guard value == .bool(wanted) else { throw issue("\(name) can only be \(wanted): leave it out otherwise") }
    }
}
