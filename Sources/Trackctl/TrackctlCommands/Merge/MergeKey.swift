internal import EventLog
internal import EventModel
internal import EventQuery
internal import JSONLines
internal import Primitives

/// What merged lines are sorted by, as bytes in the same order: time, install, number, and the place where the line was
/// read. No two lines have the same.
enum MergeKey {
    /// How many bytes the input and the line's number take, at the end of a key.
    private static let placeLength = 12

    /// The key of a line.
    ///
    /// - Throws: `JSONSyntaxError` if 64 bits of microseconds do not hold its time, or no log gives its number.
    static func bytes(of line: EventLine, input: Int, number: Int64) throws(JSONSyntaxError) -> [UInt8] {
        guard let time = line.time, let seq = line.seq else {
            throw JSONSyntaxError(
                offset: 0, reason: "the time does not fit 64 bits, or the number is not from 1 to 2^53 - 1")
        }
        var key: [UInt8] = []
        key.reserveCapacity(80)
        append(time.microseconds, to: &key)
        key += resolved(line, line.installID)
        key.append(0)
        append(seq, to: &key)
        append(UInt32(input), to: &key)
        append(number, to: &key)
        return key
    }

    /// Where the line of a key was read.
    static func place(_ key: UnsafeRawBufferPointer) -> (input: Int, number: Int64) {
        let at = key.count - placeLength
        let input = UInt32(bigEndian: key.loadUnaligned(fromByteOffset: at, as: UInt32.self))
        let number = UInt64(bigEndian: key.loadUnaligned(fromByteOffset: at + 4, as: UInt64.self))
        return (Int(input), Int64(bitPattern: number ^ 1 << 63))
    }

    /// How many bytes ``identity(of:)`` has.
    static let identityLength = 17

    /// The id of a line: a UUID's bytes, or of any other text 128 bits of its SHA-256; nil for a line without, or
    /// with an empty one.
    static func identity(of line: EventLine) -> [UInt8]? {
        let id = resolved(line, line.id)
        guard !id.isEmpty else { return nil }
        return EventID(id).map { [0] + $0.bytes } ?? [1] + SHA256.bytes(of: id).prefix(identityLength - 1)
    }

    /// The bytes of a text, its escapes resolved if they can be.
    private static func resolved(_ line: EventLine, _ place: EventLine.Place) -> [UInt8] {
        let raw = line.raw(place)
        guard raw.contains(UInt8(ascii: "\\")), let text = line.text(place) else { return Array(raw) }
        return Array(text.utf8)
    }

    /// A number as bytes of the same order: the most significant one first, the negative before the others.
    private static func append<Number: FixedWidthInteger>(_ number: Number, to key: inout [UInt8]) {
        let sign: Number = Number.isSigned ? .min : 0
        withUnsafeBytes(of: (number ^ sign).bigEndian) { key.append(contentsOf: $0) }
    }
}
