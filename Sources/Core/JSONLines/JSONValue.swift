/// Any JSON value, as a Sendable tree: for free-form payloads, such as those of push notifications.
///
/// Use literals: `["repository": "swift", "number": 7, "labels": ["bug"], "read": false]`.
public enum JSONValue: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without a fraction.
    case integer(Int64)
    /// A number with a fraction. Infinity and NaN throw an error when written.
    case number(Double)
    /// Text.
    case string(String)
    /// Values in order.
    case array([JSONValue])
    /// Values by name.
    case object([String: JSONValue])

    /// The maximum nesting of arrays and objects: 16. Writing deeper values throws an error.
    public static let maximumDepth = 16

    /// The integers that every JSON reader represents exactly: ±(2^53 − 1), RFC 7493. Writing others throws an error.
    public static let interoperable: ClosedRange<Int64> = -((1 << 53) - 1)...((1 << 53) - 1)

    /// The member of an object with this name; nil for any other value.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    /// The text of a string; nil for any other value.
    public var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The value of a whole number that fits 64 bits; nil for any other value.
    public var integerValue: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }
}

extension JSONValue: JSONLineWritable {
    /// Writes the value. Members of objects are sorted by the bytes of their names, so equal values give equal bytes.
    public func write(to json: inout JSONWriter) throws {
        try write(to: &json, depth: 0)
    }

    private func write(to json: inout JSONWriter, depth: Int) throws {
        switch self {
        case .null: json.null()
        case .bool(let value): json.bool(value)
        case .integer(let value):
            guard Self.interoperable.contains(value) else { throw JSONEncodingError.integerOutOfRange() }
            json.integer(value)
        case .number(let value): guard json.number(value) else { throw JSONEncodingError.notFinite() }
        case .string(let value): json.string(value)
        case .array(let elements):
            guard depth < Self.maximumDepth else { throw JSONEncodingError.tooDeep() }
            json.beginArray()
            for element in elements { try element.write(to: &json, depth: depth + 1) }
            json.endArray()
        case .object(let members):
            guard depth < Self.maximumDepth else { throw JSONEncodingError.tooDeep() }
            json.beginObject()
            try Self.write(members, to: &json, depth: depth)
            json.endObject()
        }
    }
}

extension JSONValue {
    /// Writes members sorted by the bytes of their names; without an array for small objects.
    private static func write(_ members: [String: JSONValue], to json: inout JSONWriter, depth: Int) throws {
        guard members.count <= 16 else {
            for (name, value) in members.sorted(by: { precedes($0.key, $1.key) }) {
                json.key(name)
                try value.write(to: &json, depth: depth + 1)
            }
            return
        }
        try withUnsafeTemporaryAllocation(of: [String: JSONValue].Index.self, capacity: members.count) { order in
            var count = 0
            for index in members.indices {
                order.initializeElement(at: count, to: index)
                var location = count
                while location > 0, precedes(members[order[location]].key, members[order[location - 1]].key) {
                    order.swapAt(location, location - 1)
                    location -= 1
                }
                count += 1
            }
            defer { order[..<count].deinitialize() }
            for index in order[..<count] {
                json.key(members[index].key)
                try members[index].value.write(to: &json, depth: depth + 1)
            }
        }
    }

    private static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}

extension JSONValue: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension JSONValue: Decodable {
    /// Decodes any value. Whole numbers that fit 64 bits become ``integer(_:)``, all others ``number(_:)``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        func decoded<Value: Decodable>(_ type: Value.Type) -> Value? {
            try? container.decode(type)  // The lost error only means that the value has another type.
        }
        if container.decodeNil() {
            self = .null
        } else if let value = decoded(Bool.self) {
            self = .bool(value)
        } else if let value = decoded(Int64.self) {
            self = .integer(value)
        } else if let value = decoded(Double.self) {
            self = .number(value)
        } else if let value = decoded(String.self) {
            self = .string(value)
        } else if let value = decoded([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(Dictionary(members, uniquingKeysWith: { _, last in last }))
    }
}

extension JSONValue {
    /// Parses a whole text like ``JSONParser/parse(_:)``; nil if it is not valid JSON.
    ///
    /// The only thing lost is the offset and the reason of the ``JSONSyntaxError``. Call this where every invalid text has
    /// the same effect; call ``JSONParser/parse(_:)`` to report the error. Complexity: O(bytes).
    package init?(validating bytes: some Sequence<UInt8>) {
        do { self = try JSONParser.parse(bytes) } catch { return nil }
    }
}
