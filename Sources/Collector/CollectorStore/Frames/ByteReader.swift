internal import EventModel

/// Reads the output of ``ByteWriter``. Checks every length, because bytes with a valid checksum may come from
/// another version.
struct ByteReader {
    /// The bytes do not have the expected format.
    struct Malformed: Error {}

    private let bytes: UnsafeRawBufferPointer
    private(set) var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var rest: Int { bytes.count - offset }

    mutating func raw(_ count: Int) throws(Malformed) -> UnsafeRawBufferPointer {
        guard count >= 0, count <= rest else { throw Malformed() }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }

    mutating func fixed<Value: FixedWidthInteger>(_: Value.Type) throws(Malformed) -> Value {
        Value(littleEndian: try raw(MemoryLayout<Value>.size).loadUnaligned(as: Value.self))
    }

    mutating func number() throws(Malformed) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            guard offset < bytes.count, shift < 64 else { throw Malformed() }
            let byte = bytes[offset]
            offset += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
    }

    mutating func signed() throws(Malformed) -> Int64 {
        let value = try number()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    /// A count of items of at least one byte each.
    mutating func count() throws(Malformed) -> Int {
        let value = try number()
        guard value <= UInt64(rest) else { throw Malformed() }
        return Int(value)
    }

    mutating func counted() throws(Malformed) -> [UInt8] { [UInt8](try raw(try count())) }

    mutating func text() throws(Malformed) -> String { String(decoding: try raw(try count()), as: UTF8.self) }

    mutating func optionalText() throws(Malformed) -> String? { try flag() ? try text() : nil }

    mutating func flag() throws(Malformed) -> Bool {
        switch try number() {
        case 0: false
        case 1: true
        default: throw Malformed()
        }
    }

    /// An integer from 0 to the highest sequence number.
    mutating func seq() throws(Malformed) -> Int64 {
        let value = try number()
        guard value <= UInt64(EventRecord.highestSeq) else { throw Malformed() }
        return Int64(value)
    }

    mutating func ranges() throws(Malformed) -> [ClosedRange<Int64>] {
        var ranges: [ClosedRange<Int64>] = []
        var last: Int64 = 0
        for _ in 0..<(try count()) {
            let first = last + (try seq())
            let end = first + (try seq())
            guard first > last || ranges.isEmpty, end <= EventRecord.highestSeq else { throw Malformed() }
            ranges.append(first...end)
            last = end
        }
        return ranges
    }
}
