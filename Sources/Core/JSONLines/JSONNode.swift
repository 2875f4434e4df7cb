internal import Foundation

/// A value before it is written. Has reference semantics, because containers fill it after their parent has stored it.
///
/// The slow path, for values that ``LineStream`` can't write in one pass, and for values that can't be encoded: it
/// provides the path of the failing key.
final class JSONNode {
    enum Content {
        case nothing
        case bytes([UInt8])
        case array([JSONNode])
        case object([(name: String, node: JSONNode)], positions: [String: Int], isSorted: Bool)
    }

    var content: Content = .nothing

    init() {}

    init(bytes: [UInt8]) {
        content = .bytes(bytes)
    }

    /// The tree of any encodable value.
    ///
    /// - Parameter trace: Records the origin of errors.
    static func encoding(_ value: some Encodable, path: [any CodingKey], trace: FailureTrace? = nil) throws -> JSONNode
    {
        var json = JSONWriter(capacity: 32)
        switch value {
        case let value as any JSONLineWritable:
            do { try value.write(to: &json) } catch {
                let inner = path + json.openPath
                if let error = error as? JSONEncodingError { throw error.within(inner) }
                trace?.note(error, at: inner)
                throw error
            }
        case let value as Date: json.seconds(microseconds: try microseconds(of: value, path: path))
        case let value as URL: json.string(value.absoluteString)
        case let value as Data: json.string(value.base64EncodedString())
        case let value as Decimal:
            guard !value.isNaN else { throw JSONEncodingError.notFinite(at: path) }
            json.value(value.description.utf8)
        default:
            let node = JSONNode()
            do { try value.encode(to: JSONNodeEncoder(node: node, codingPath: path, trace: trace)) } catch {
                trace?.note(error, at: path)
                throw error
            }
            if case .nothing = node.content { throw JSONEncodingError.noValue(at: path) }
            if let unordered = value as? any UnorderedCollection {
                try node.sortElements(by: type(of: unordered).elementWidth)
            }
            return node
        }
        return JSONNode(bytes: json.bytes)
    }

    private static func microseconds(of date: Date, path: [any CodingKey]) throws -> Int64 {
        guard let value = date.microsecondsSince1970 else { throw JSONEncodingError.notFinite(at: path) }
        return value
    }

    func write(to json: inout JSONWriter) throws {
        switch content {
        case .nothing: throw JSONEncodingError.noValue()
        case .bytes(let bytes): json.value(bytes)
        case .array(let elements):
            json.beginArray()
            for element in elements { try element.write(to: &json) }
            json.endArray()
        case .object(var members, _, let isSorted):
            if isSorted { members.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) } }
            json.beginObject()
            for member in members {
                json.key(member.name)
                try member.node.write(to: &json)
            }
            json.endObject()
        }
    }

    /// Makes this node an object, unless it is one. It is sorted if a dictionary has added members.
    func becomeObject(isSorted: Bool) {
        if case .object(let members, let positions, let wasSorted) = content {
            if isSorted, !wasSorted { content = .object(members, positions: positions, isSorted: true) }
            return
        }
        content = .object([], positions: [:], isSorted: isSorted)
    }

    /// Makes this node an array, unless it is one.
    func becomeArray() {
        if case .array = content { return }
        content = .array([])
    }

    /// Stores a member. Storing a name again replaces the earlier value, as in Foundation.
    func set(_ node: JSONNode, for name: String) {
        guard case .object(var members, var positions, let isSorted) = content else { return }
        content = .nothing
        if let position = positions[name] {
            members[position].node = node
        } else {
            positions[name] = members.count
            members.append((name, node))
        }
        content = .object(members, positions: positions, isSorted: isSorted)
    }

    /// Sorts the elements of an array in groups of `width`, by the bytes of each group's first element.
    func sortElements(by width: Int) throws {
        guard case .array(let elements) = content, elements.count > width else { return }
        let groups = try stride(from: 0, to: elements.count, by: width).map { start in
            var json = JSONWriter(capacity: 32)
            try elements[start].write(to: &json)
            return (bytes: json.bytes, nodes: elements[start..<min(start + width, elements.count)])
        }
        content = .array(groups.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.flatMap(\.nodes))
    }

    func append(_ node: JSONNode) {
        guard case .array(var elements) = content else { return }
        content = .nothing
        elements.append(node)
        content = .array(elements)
    }

    var member: (String) -> JSONNode? {
        { name in
            guard case .object(let members, let positions, _) = self.content else { return nil }
            return positions[name].map { members[$0].node }
        }
    }

    var count: Int {
        if case .array(let elements) = content { elements.count } else { 0 }
    }
}
