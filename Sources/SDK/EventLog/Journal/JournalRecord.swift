package import EventModel

/// One record of a journal, where it lies in memory.
///
/// | offset | bytes | what |
/// |---|---|---|
/// | 0 | 8 | checksum of all that follows, padding included |
/// | 8 | 8 | position: how many bytes the journal had taken before; tells a record from one of an earlier lap |
/// | 16 | 8 | sequence number |
/// | 24 | 16 | id |
/// | 40 | 8 | time |
/// | 48 | 4 | length of the line |
/// | 52 | 1 | length of the name |
/// | 53 | 1 | kind |
/// | 54 | 2 | mark |
/// | 56 | | line, name, zeros to a multiple of eight |
package struct JournalRecord {
    package enum Kind: UInt8 {
        case event = 1
        /// Fills the end of the ring; the next record stands at its start.
        case skip = 2
        /// A number whose sender made no use of it: it stands in the ledger as interrupted.
        case drop = 3
    }

    static let headerSize = 56
    private static let mark: UInt16 = 0x4A54

    package let base: UnsafeMutableRawPointer

    /// A record where it lies, or is to lie.
    @inline(__always)
    package init(base: UnsafeMutableRawPointer) { self.base = base }

    /// The bytes that a record takes.
    @inline(__always)
    static func size(line: Int, name: Int) -> Int { (headerSize + line + name + 7) & ~7 }

    /// The most bytes that a record with a line of that length takes.
    @inline(__always)
    static func maximumSize(line: Int) -> Int { size(line: line, name: EventStamp.maximumNameLength) }

    var position: UInt64 { base.load(fromByteOffset: 8, as: UInt64.self) }
    package var seq: Int64 { base.load(fromByteOffset: 16, as: Int64.self) }
    var id: EventID {
        EventID(
            high: base.load(fromByteOffset: 24, as: UInt64.self), low: base.load(fromByteOffset: 32, as: UInt64.self))
    }
    var time: EventTime { EventTime(microseconds: base.load(fromByteOffset: 40, as: Int64.self)) }
    package var kind: Kind? { Kind(rawValue: base.load(fromByteOffset: 53, as: UInt8.self)) }
    private var lineLength: Int { Int(base.load(fromByteOffset: 48, as: UInt32.self)) }
    private var nameLength: Int { Int(base.load(fromByteOffset: 52, as: UInt8.self)) }
    package var size: Int { Self.size(line: lineLength, name: nameLength) }
    var line: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base + Self.headerSize, count: lineLength) }
    var name: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base + Self.headerSize + lineLength, count: nameLength)
    }

    /// Where the line is written before ``finish(position:seq:stamp:kind:)``.
    @inline(__always)
    func lineSpace(_ capacity: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: base + Self.headerSize, count: capacity)
    }

    /// Completes a record whose line is written, and gives its size.
    @inline(__always)
    func finish(position: UInt64, seq: Int64, stamp: EventStamp, kind: Kind) -> Int {
        var name = stamp.name
        let nameLength = name.withUTF8 { text in
            if let start = text.baseAddress {
                (base + Self.headerSize + stamp.lineLength).copyMemory(from: start, byteCount: text.count)
            }
            return text.count
        }
        let end = Self.headerSize + stamp.lineLength + nameLength
        let size = (end + 7) & ~7
        for offset in end..<size { base.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self) }
        base.storeBytes(of: position, toByteOffset: 8, as: UInt64.self)
        base.storeBytes(of: seq, toByteOffset: 16, as: Int64.self)
        base.storeBytes(of: stamp.id.high, toByteOffset: 24, as: UInt64.self)
        base.storeBytes(of: stamp.id.low, toByteOffset: 32, as: UInt64.self)
        base.storeBytes(of: stamp.time.microseconds, toByteOffset: 40, as: Int64.self)
        base.storeBytes(of: UInt32(stamp.lineLength), toByteOffset: 48, as: UInt32.self)
        base.storeBytes(of: UInt8(nameLength), toByteOffset: 52, as: UInt8.self)
        base.storeBytes(of: kind.rawValue, toByteOffset: 53, as: UInt8.self)
        base.storeBytes(of: Self.mark, toByteOffset: 54, as: UInt16.self)
        base.storeBytes(of: JournalChecksum.of(base + 8, count: size - 8), as: UInt64.self)
        return size
    }

    /// Whether a whole, unharmed record stands here.
    ///
    /// - Parameters:
    ///   - room: How many bytes there are from here to the end of the ring.
    ///   - position: The record's position, if it is known.
    package func isValid(room: Int, position expected: UInt64?) -> Bool {
        guard room >= Self.headerSize, base.load(fromByteOffset: 54, as: UInt16.self) == Self.mark,
            expected.map({ $0 == position }) ?? true, size <= room, kind != nil, 0...EventRecord.highestSeq ~= seq
        else { return false }
        return JournalChecksum.of(base + 8, count: size - 8) == base.load(as: UInt64.self)
    }

    /// A copy, if this is an event.
    package var event: EventRecord? {
        guard kind == .event else { return nil }
        return EventRecord(
            seq: seq, id: id, time: time, name: String(decoding: name, as: UTF8.self), line: [UInt8](line))
    }
}

/// The checksum of a journal record: 64 bits over whole 64-bit words, four lanes at a time.
///
/// Every step is a bijection of the word it takes in, so a change within one word is always noticed, and any other
/// but once in 2^64.
enum JournalChecksum {
    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15  // 2^64 divided by the golden ratio, odd

    /// The checksum of `count` bytes, a multiple of eight, from an address that is one, too.
    static func of(_ bytes: UnsafeRawPointer, count: Int) -> UInt64 {
        // The first digits of pi: lanes that start apart.
        var a: UInt64 = 0x243F_6A88_85A3_08D3
        var b: UInt64 = 0x1319_8A2E_0370_7344
        var c: UInt64 = 0xA409_3822_299F_31D0
        var d: UInt64 = 0x082E_FA98_EC4E_6C89
        var offset = 0
        while offset + 32 <= count {
            a = mixed(a ^ bytes.load(fromByteOffset: offset, as: UInt64.self))
            b = mixed(b ^ bytes.load(fromByteOffset: offset + 8, as: UInt64.self))
            c = mixed(c ^ bytes.load(fromByteOffset: offset + 16, as: UInt64.self))
            d = mixed(d ^ bytes.load(fromByteOffset: offset + 24, as: UInt64.self))
            offset += 32
        }
        while offset + 8 <= count {
            a = mixed(a ^ bytes.load(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        return mixed(mixed(mixed(mixed(UInt64(truncatingIfNeeded: count) ^ a) ^ b) ^ c) ^ d)
    }

    @inline(__always)
    private static func mixed(_ value: UInt64) -> UInt64 {
        let product = value &* factor
        return product ^ product >> 32
    }
}
