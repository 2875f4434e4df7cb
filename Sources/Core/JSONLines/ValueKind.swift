internal import Foundation

/// How the encoder writes a value, by its type.
enum ValueKind: UInt8 {
    case bool, string, double, float
    case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64
    case date, url, data, decimal
    case json
    /// The value writes itself.
    case writable
    /// An instance of a class: a subclass may write itself.
    case object
    /// The value is encoded with `encode(to:)`.
    case encodable

    init(of type: any Encodable.Type) {
        if let known = Self.known[ObjectIdentifier(type)] {
            self = known
        } else if type is any JSONLineWritable.Type {
            self = .writable
        } else {
            self = type is AnyClass ? .object : .encodable
        }
    }

    private static let known: [ObjectIdentifier: Self] = [
        ObjectIdentifier(Bool.self): .bool,
        ObjectIdentifier(String.self): .string,
        ObjectIdentifier(Double.self): .double,
        ObjectIdentifier(Float.self): .float,
        ObjectIdentifier(Int.self): .int,
        ObjectIdentifier(Int8.self): .int8,
        ObjectIdentifier(Int16.self): .int16,
        ObjectIdentifier(Int32.self): .int32,
        ObjectIdentifier(Int64.self): .int64,
        ObjectIdentifier(UInt.self): .uint,
        ObjectIdentifier(UInt8.self): .uint8,
        ObjectIdentifier(UInt16.self): .uint16,
        ObjectIdentifier(UInt32.self): .uint32,
        ObjectIdentifier(UInt64.self): .uint64,
        ObjectIdentifier(Date.self): .date,
        ObjectIdentifier(URL.self): .url,
        ObjectIdentifier(Data.self): .data,
        ObjectIdentifier(Decimal.self): .decimal,
        ObjectIdentifier(JSONValue.self): .json,
    ]
}

/// Caches the kinds of types, since looking up a conformance at run time is slow.
struct ValueKindCache: ~Copyable {
    private struct Entry {
        var type: ObjectIdentifier?
        var kind: ValueKind
    }

    private static let size = 64
    private let entries: UnsafeMutablePointer<Entry>

    init() {
        entries = .allocate(capacity: Self.size)
        entries.initialize(repeating: Entry(type: nil, kind: .encodable), count: Self.size)
    }

    deinit { entries.deallocate() }

    @inline(__always)
    func kind<T: Encodable>(of type: T.Type) -> ValueKind {
        let identifier = ObjectIdentifier(type)
        let bits = UInt(bitPattern: identifier)
        let entry = entries + Int((bits >> 4 ^ bits >> 10) & UInt(Self.size - 1))
        if _fastPath(entry.pointee.type == identifier) { return entry.pointee.kind }
        let kind = ValueKind(of: type)
        entry.pointee = Entry(type: identifier, kind: kind)
        return kind
    }
}

extension Date {
    /// Whole microseconds since 1970; nil if not finite or beyond 64 bits.
    var microsecondsSince1970: Int64? { Int64(exactly: (timeIntervalSince1970 * 1_000_000).rounded()) }
}
