package import JSONLines

/// A value of a spec with its position.
package struct SpecNode {
    package let value: JSONValue
    /// The offset from the start of the file, in bytes.
    package let offset: Int
    /// The members of an object, in file order.
    package let members: [Member]

    package struct Member {
        package let name: String
        package let node: SpecNode
    }

    /// Parses a range of the file.
    ///
    /// - Parameter depth: The number of levels for which members have positions.
    /// - Throws: `JSONSyntaxError` with an offset in the file.
    package init(_ bytes: [UInt8], _ range: Range<Int>, depth: Int) throws(JSONSyntaxError) {
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

    package func issue(_ reason: String) -> JSONSyntaxError { JSONSyntaxError(offset: offset, reason: reason) }

    package func text(_ name: String) throws(JSONSyntaxError) -> String {
        guard let text = value.stringValue else { throw issue("\(name) must be a string") }
        return text
    }

    /// The members by name. Unknown members are an error.
    ///
    /// - Throws: `JSONSyntaxError` unless the value is an object with only these members.
    package func members(_ names: [String]) throws(JSONSyntaxError) -> [String: SpecNode] {
        guard case .object = value else { throw issue("expected an object with \(names.joined(separator: ", "))") }
        for member in members where !names.contains(member.name) {
            throw member.node.issue("unknown member '\(member.name)': use \(names.joined(separator: ", "))")
        }
        // The parser rejects duplicate names.
        return Dictionary(members.map { ($0.name, $0.node) }) { first, _ in first }
    }

    /// Checks that the value is the only allowed one.
    package func expect(_ wanted: Bool, _ name: String) throws(JSONSyntaxError) {
        guard value == .bool(wanted) else { throw issue("\(name) must be \(wanted): correct it, or remove it") }
    }
}

extension JSONSyntaxError {
    /// The line and the column of the error in a file, from 1; columns count bytes.
    package func position(in bytes: [UInt8]) -> (line: Int, column: Int) {
        let before = bytes.prefix(offset)
        let line = before.count { $0 == 0x0A } + 1
        return (line, before.count - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1)
    }
}
