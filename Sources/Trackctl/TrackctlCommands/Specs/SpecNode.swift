internal import JSONLines

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
            let place = (range.lowerBound + member.range.lowerBound)..<(range.lowerBound + member.range.upperBound)
            members.append(Member(name: member.name, node: try SpecNode(bytes, place, depth: depth - 1)))
        }
        self.members = members
    }

    func fault(_ reason: String) -> JSONSyntaxError { JSONSyntaxError(offset: offset, reason: reason) }

    /// The text of a string.
    func text(_ name: String) throws(JSONSyntaxError) -> String {
        guard let text = value.stringValue else { throw fault("\(name) is a text in quotes") }
        return text
    }

    /// The members, each by its name; what else there is, is refused.
    ///
    /// - Throws: `JSONSyntaxError` for anything but an object with some of these members.
    func members(_ names: [String]) throws(JSONSyntaxError) -> [String: SpecNode] {
        guard case .object = value else { throw fault("an object is expected, with \(names.joined(separator: ", "))") }
        for member in members where !names.contains(member.name) {
            throw member.node.fault("there is no \(member.name): there are \(names.joined(separator: ", "))")
        }
        // A name that stands twice was refused by the parser.
        return Dictionary(members.map { ($0.name, $0.node) }) { first, _ in first }
    }

    /// Checks that it is the one value that makes sense.
    func expect(_ wanted: Bool, _ name: String) throws(JSONSyntaxError) {
        guard value == .bool(wanted) else { throw fault("\(name) can only be \(wanted): leave it out otherwise") }
    }
}
