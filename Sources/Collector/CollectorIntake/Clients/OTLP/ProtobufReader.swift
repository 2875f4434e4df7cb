/// Reads the fields of a message in Protocol Buffers' wire format.
///
/// Source: the encoding guide at protobuf.dev. Groups are skipped, as unknown fields are.
struct ProtobufReader {
    /// The bytes are not a message.
    struct Malformed: Error {}

    enum Value {
        case varint(UInt64)
        case fixed64(UInt64)
        case fixed32(UInt32)
        case bytes(ArraySlice<UInt8>)
    }

    struct Field {
        var number: Int
        var value: Value
    }

    /// The deepest nesting of messages and groups, the limit of other implementations.
    static let maximumDepth = 100

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// The next field; nil at the end.
    mutating func next() throws(Malformed) -> Field? {
        while !rest.isEmpty {
            let (number, type) = try tag()
            if type == 3 {
                try skipGroup(number, depth: 1)
                continue
            }
            return Field(number: number, value: try value(type))
        }
        return nil
    }

    private mutating func tag() throws(Malformed) -> (number: Int, type: UInt64) {
        let tag = try varint()
        guard tag >> 3 > 0, tag <= UInt64(UInt32.max) else { throw Malformed() }
        return (Int(tag >> 3), tag & 7)
    }

    private mutating func value(_ type: UInt64) throws(Malformed) -> Value {
        switch type {
        case 0: return .varint(try varint())
        case 1: return .fixed64(try fixed(8))
        case 2:
            let length = try varint()
            guard length <= UInt64(rest.count) else { throw Malformed() }
            defer { rest = rest.dropFirst(Int(length)) }
            return .bytes(rest.prefix(Int(length)))
        case 5: return .fixed32(UInt32(try fixed(4)))
        default: throw Malformed()
        }
    }

    private mutating func skipGroup(_ number: Int, depth: Int) throws(Malformed) {
        guard depth <= Self.maximumDepth else { throw Malformed() }
        while true {
            let (inner, type) = try tag()
            switch type {
            case 3: try skipGroup(inner, depth: depth + 1)
            case 4:
                guard inner == number else { throw Malformed() }
                return
            default: _ = try value(type)
            }
        }
    }

    private mutating func varint() throws(Malformed) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while let byte = rest.popFirst() {
            // Further bits of the tenth byte are dropped, as by other implementations.
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
            guard shift < 70 else { throw Malformed() }
        }
        throw Malformed()
    }

    private mutating func fixed(_ count: Int) throws(Malformed) -> UInt64 {
        guard rest.count >= count else { throw Malformed() }
        var value: UInt64 = 0
        for (index, byte) in rest.prefix(count).enumerated() { value |= UInt64(byte) << (8 * UInt64(index)) }
        rest = rest.dropFirst(count)
        return value
    }
}
