package import EventModel

/// A record of a journal, read and written in the mapped memory.
///
/// | offset | bytes | content |
/// |---|---|---|
/// | 0 | 8 | checksum of the rest, including padding |
/// | 8 | 8 | position in bytes since the ring was made; distinguishes a record from those of earlier laps |
/// | 16 | 8 | sequence number |
/// | 24 | 16 | id |
/// | 40 | 8 | time |
/// | 48 | 4 | length of the line |
/// | 52 | 1 | length of the name |
/// | 53 | 1 | kind |
/// | 54 | 2 | mark |
/// | 56 | | line, name, zeros to a multiple of eight |
///
/// If the purpose is not analytics, the name ends with a zero byte and the purpose.
package struct JournalRecord {
    package enum Kind: UInt8 {
        case event = 1
        /// Fills the end of the ring; the next record is at the start.
        case skip = 2
        /// A number without an event, recorded in the ledger as interrupted.
        case drop = 3
    }

    static let headerSize = 56
    private static let mark: UInt16 = 0x4A54

    package let base: UnsafeMutableRawPointer

    /// A record at an address, whether written already or not.
    @inline(__always)
    package init(base: UnsafeMutableRawPointer) { self.base = base }

    /// The size of a record in bytes.
    @inline(__always)
    static func size(line: Int, name: Int) -> Int { (headerSize + line + name + 7) & ~7 }

    /// The largest size of a record with a line of that length.
    @inline(__always)
    static func maximumSize(line: Int) -> Int { size(line: line, name: EventStamp.maximumNameLength) }

    /// The memory for the line, before ``finish(position:seq:stamp:kind:)``.
    @inline(__always)
    func lineSpace(_ capacity: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: base + Self.headerSize, count: capacity)
    }

    /// The values of a record besides line and name. Contains only numbers, because a string would be slower to copy.
    struct Stamp {
        var id = EventID(high: 0, low: 0)
        var time = EventTime(microseconds: 0)
        var lineLength = 0
        var nameLength = 0

        /// The stamp of a record without an event.
        static let none = Stamp()
    }

    /// Writes the name after the line.
    ///
    /// - Returns: The stamp, or the reason why there can be no record: the line is longer than `capacity`, or the name
    ///   is too long.
    @inline(__always)
    func writeName(_ stamp: EventStamp, behindLineOf capacity: Int) -> Result<Stamp, EventDropped> {
        guard 0...capacity ~= stamp.lineLength else { return .failure(EventDropped(.tooLarge)) }
        var nameLength = write(stamp.name, at: Self.headerSize + stamp.lineLength, following: 0)
        if stamp.purpose != .analytics {
            let end = Self.headerSize + stamp.lineLength + nameLength
            if nameLength < EventStamp.maximumNameLength { base.storeBytes(of: 0, toByteOffset: end, as: UInt8.self) }
            nameLength += 1 + write(stamp.purpose.name, at: end + 1, following: nameLength + 1)
        }
        guard nameLength <= EventStamp.maximumNameLength else { return .failure(EventDropped(.invalidName)) }
        return .success(
            Stamp(id: stamp.id, time: stamp.time, lineLength: stamp.lineLength, nameLength: nameLength))
    }

    /// Writes a text unless it is too long with the bytes before it. Returns its length.
    @inline(__always)
    private func write(_ text: String, at offset: Int, following count: Int) -> Int {
        var text = text
        return text.withUTF8 { text in
            if count + text.count <= EventStamp.maximumNameLength, let start = text.baseAddress {
                (base + offset).copyMemory(from: start, byteCount: text.count)
            }
            return text.count
        }
    }

    /// Completes a record whose line and name are written. Returns its size.
    @inline(__always)
    func finish(position: UInt64, seq: Int64, stamp: Stamp, kind: Kind) -> Int {
        let end = Self.headerSize + stamp.lineLength + stamp.nameLength
        let size = (end + 7) & ~7
        for offset in end..<size { base.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self) }
        base.storeBytes(of: position, toByteOffset: 8, as: UInt64.self)
        base.storeBytes(of: seq, toByteOffset: 16, as: Int64.self)
        base.storeBytes(of: stamp.id.high, toByteOffset: 24, as: UInt64.self)
        base.storeBytes(of: stamp.id.low, toByteOffset: 32, as: UInt64.self)
        base.storeBytes(of: stamp.time.microseconds, toByteOffset: 40, as: Int64.self)
        base.storeBytes(of: UInt32(stamp.lineLength), toByteOffset: 48, as: UInt32.self)
        base.storeBytes(of: UInt8(stamp.nameLength), toByteOffset: 52, as: UInt8.self)
        base.storeBytes(of: kind.rawValue, toByteOffset: 53, as: UInt8.self)
        base.storeBytes(of: Self.mark, toByteOffset: 54, as: UInt16.self)
        base.storeBytes(of: JournalChecksum.of(base + 8, count: size - 8), as: UInt64.self)
        return size
    }

    /// Invalidates a complete record whose number was reclaimed.
    func erase() { SharedWord(base, offset: 0).publish(~base.load(as: UInt64.self)) }

    /// The record at this address, if it is intact.
    ///
    /// Reads the record's lengths and kind only once, so that a concurrent sender cannot change which bytes are
    /// checked.
    ///
    /// - Parameters:
    ///   - room: The bytes from here to the end of the ring.
    ///   - position: The record's position, if it is known.
    package func whole(room: Int, position expected: UInt64?) -> WholeRecord? {
        guard room >= Self.headerSize else { return nil }
        let record = WholeRecord(base: base)
        guard record.mark == Self.mark, expected.map({ $0 == record.position }) ?? true, record.size <= room,
            record.kind != nil, 0...EventRecord.highestSeq ~= record.seq,
            JournalChecksum.of(base + 8, count: record.size - 8) == base.load(as: UInt64.self)
        else { return nil }
        return record
    }

    /// A verified copy of the record, for memory that may be written to concurrently.
    func copied(room: Int, position: UInt64?) -> WholeRecord? {
        guard let seen = whole(room: room, position: position) else { return nil }
        let copy = WholeRecord.Copy(of: seen)
        guard var record = JournalRecord(base: copy.bytes).whole(room: seen.size, position: position) else {
            return nil
        }
        record.copy = copy
        return record
    }
}

/// A record that was found intact, with the lengths and the kind at that time.
package struct WholeRecord {
    private let base: UnsafeMutableRawPointer
    let position: UInt64
    package let seq: Int64
    /// Lengths, kind and mark, read at the same time.
    private let shape: UInt64
    /// The copy of the bytes, if there is one.
    fileprivate var copy: Copy?

    fileprivate init(base: UnsafeMutableRawPointer) {
        self.base = base
        position = SharedWord(base, offset: 8).load()
        seq = Int64(bitPattern: SharedWord(base, offset: 16).load())
        shape = SharedWord(base, offset: 48).load()
    }

    private var lineLength: Int { Int(UInt32(truncatingIfNeeded: shape)) }
    private var nameLength: Int { Int(UInt8(truncatingIfNeeded: shape >> 32)) }
    fileprivate var mark: UInt16 { UInt16(truncatingIfNeeded: shape >> 48) }
    package var kind: JournalRecord.Kind? { JournalRecord.Kind(rawValue: UInt8(truncatingIfNeeded: shape >> 40)) }
    package var size: Int { JournalRecord.size(line: lineLength, name: nameLength) }
    var id: EventID {
        EventID(
            high: base.load(fromByteOffset: 24, as: UInt64.self), low: base.load(fromByteOffset: 32, as: UInt64.self))
    }
    var time: EventTime { EventTime(microseconds: base.load(fromByteOffset: 40, as: Int64.self)) }
    var line: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base + JournalRecord.headerSize, count: lineLength)
    }
    private var names: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base + JournalRecord.headerSize + lineLength, count: nameLength)
    }
    var name: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: names.prefix { $0 != 0 }) }
    var purpose: Purpose {
        let text = names.drop { $0 != 0 }.dropFirst()
        return text.isEmpty ? .analytics : Purpose(String(decoding: text, as: UTF8.self))
    }

    /// The event with its bytes copied; nil for other kinds of records.
    package var event: EventRecord? {
        guard kind == .event else { return nil }
        return EventRecord(
            seq: seq, id: id, time: time, name: String(decoding: name, as: UTF8.self), line: [UInt8](line),
            purpose: purpose)
    }

    /// A copy of a record's bytes in private memory.
    fileprivate final class Copy {
        let bytes: UnsafeMutableRawPointer

        init(of record: WholeRecord) {
            bytes = .allocate(byteCount: record.size, alignment: 8)
            bytes.copyMemory(from: record.base, byteCount: record.size)
        }

        deinit { bytes.deallocate() }
    }
}

/// The checksum of a journal record: 64 bits over whole 64-bit words, in four lanes.
///
/// Every step is a bijection of its input word, so a change within one word is always detected. Any other change goes
/// undetected with probability 2^-64.
enum JournalChecksum {
    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15  // 2^64 divided by the golden ratio, odd.

    /// The checksum of `count` bytes, a multiple of eight, at an address that is a multiple of eight.
    static func of(_ bytes: UnsafeRawPointer, count: Int) -> UInt64 {
        // The first digits of pi, so that the lanes start with different values.
        var a: UInt64 = 0x243F_6A88_85A3_08D3
        var b: UInt64 = 0x1319_8A2E_0370_7344
        var c: UInt64 = 0xA409_3822_299F_31D0
        var d: UInt64 = 0x082E_FA98_EC4E_6C89
        var word = bytes.assumingMemoryBound(to: UInt64.self)
        let end = word + count / 8
        let lanes = word + count / 32 * 4
        while word < lanes {
            a = mixed(a ^ word[0])
            b = mixed(b ^ word[1])
            c = mixed(c ^ word[2])
            d = mixed(d ^ word[3])
            word += 4
        }
        while word < end {
            a = mixed(a ^ word.pointee)
            word += 1
        }
        return mixed(mixed(mixed(mixed(UInt64(truncatingIfNeeded: count) ^ a) ^ b) ^ c) ^ d)
    }

    @inline(__always)
    private static func mixed(_ value: UInt64) -> UInt64 {
        let product = value &* factor
        return product ^ product >> 32
    }
}
