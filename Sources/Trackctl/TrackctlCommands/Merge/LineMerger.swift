internal import EventModel
internal import EventQuery
internal import JSONLines
internal import LogFiles
internal import Primitives

/// Sorts lines by their ``MergeKey`` in constant memory, and finds duplicates.
///
/// A second sorter orders the ids, each with the key of its line. All but the first line with an id are duplicates.
/// Their keys are sorted again, which gives the order of the lines. This finds duplicates however far apart their
/// times are.
final class LineMerger {
    /// The memory for sorting, in bytes: 8 MiB for lines, 4 MiB for ids.
    private static let lineMemory = 8 << 20
    private static let idMemory = 4 << 20

    private let lines = RecordSorter(memory: lineMemory)
    private let ids: RecordSorter?

    /// - Parameter keepsDoubles: Whether to keep lines whose id occurred before.
    init(keepsDoubles: Bool) { ids = keepsDoubles ? nil : RecordSorter(memory: Self.idMemory) }

    /// Adds a line with its ``MergeKey``.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`.
    func add(_ line: EventLine, key: [UInt8]) throws {
        try key.withUnsafeBytes { try lines.append(key: $0, payload: line.bytes) }
        guard let ids, let identity = MergeKey.identity(of: line) else { return }
        try (identity + key).withUnsafeBytes { try ids.append(key: $0, payload: Self.nothing) }
    }

    /// All lines in order. Do not add lines after this.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`.
    func merged() throws -> MergedLines { MergedLines(try lines.sorted(), without: try doubles()) }

    /// The keys of the duplicate lines, in order.
    private func doubles() throws -> SortedRecords? {
        guard var sorted = try ids?.sorted() else { return nil }
        let doubles = RecordSorter(memory: Self.idMemory)
        var last: [UInt8] = []
        while let record = try sorted.next() {
            let identity = record.key.prefix(MergeKey.identityLength)
            if identity.elementsEqual(last) {
                let key = UnsafeRawBufferPointer(rebasing: record.key.dropFirst(MergeKey.identityLength))
                try doubles.append(key: key, payload: Self.nothing)
            } else {
                last = Array(identity)
            }
        }
        return try doubles.sorted()
    }

    private static var nothing: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
}

/// The sort key of lines: time, install, number and input position, encoded so that byte order is sort order. Keys
/// are unique.
enum MergeKey {
    /// The bytes of the input and the line's number, at the end of a key.
    private static let positionLength = 12

    /// The key of a line.
    ///
    /// - Throws: `JSONSyntaxError` if the time does not fit 64-bit microseconds, or the number is out of range.
    static func bytes(of line: EventLine, input: Int, number: Int64) throws(JSONSyntaxError) -> [UInt8] {
        guard let time = line.time, let seq = line.seq else {
            throw JSONSyntaxError(
                offset: 0, reason: "the time does not fit in 64 bits, or the number is not between 1 and 2^53 - 1")
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

    /// The input position encoded in a key.
    static func position(_ key: UnsafeRawBufferPointer) -> (input: Int, number: Int64) {
        let at = key.count - positionLength
        let input = UInt32(bigEndian: key.loadUnaligned(fromByteOffset: at, as: UInt32.self))
        let number = UInt64(bigEndian: key.loadUnaligned(fromByteOffset: at + 4, as: UInt64.self))
        return (Int(input), Int64(bitPattern: number ^ 1 << 63))
    }

    /// The length of ``identity(of:)``, in bytes.
    static let identityLength = 17

    /// The id of a line: the bytes of a UUID, or 128 bits of the SHA-256 of any other text. Nil without an id, or
    /// with an empty one.
    static func identity(of line: EventLine) -> [UInt8]? {
        let id = resolved(line, line.id)
        guard !id.isEmpty else { return nil }
        return EventID(id).map { [0] + $0.bytes } ?? [1] + SHA256.bytes(of: id).prefix(identityLength - 1)
    }

    /// The bytes of a text, with escapes resolved if they are valid.
    private static func resolved(_ line: EventLine, _ position: EventLine.Location) -> [UInt8] {
        let raw = line.raw(position)
        guard raw.contains(UInt8(ascii: "\\")), let text = line.text(position) else { return Array(raw) }
        return Array(text.utf8)
    }

    /// Appends a number, big-endian and with the sign bit flipped, so that byte order is numeric order.
    private static func append<Number: FixedWidthInteger>(_ number: Number, to key: inout [UInt8]) {
        let sign: Number = Number.isSigned ? .min : 0
        withUnsafeBytes(of: (number ^ sign).bigEndian) { key.append(contentsOf: $0) }
    }
}

/// Sorted lines without duplicates.
struct MergedLines {
    /// A line; its bytes are valid until the next one is read.
    struct Line {
        let bytes: UnsafeRawBufferPointer
        /// The index of its input.
        let input: Int
        /// From 1; in a database, the event's number.
        let number: Int64
    }

    private var lines: SortedRecords
    private var doubles: SortedRecords?
    private var nextDouble: SortedRecord?
    private var isStarted = false
    /// Lines returned so far.
    private(set) var count = 0
    /// Lines dropped so far.
    private(set) var dropped = 0

    /// - Parameter doubles: The keys to drop, in the order of the lines.
    init(_ lines: SortedRecords, without doubles: SortedRecords?) {
        self.lines = lines
        self.doubles = doubles
    }

    /// The next line; nil at the end.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`.
    mutating func next() throws -> Line? {
        if !isStarted {
            isStarted = true
            nextDouble = try doubles?.next()
        }
        while let record = try lines.next() {
            if let double = nextDouble, double.key.elementsEqual(record.key) {
                dropped += 1
                nextDouble = try doubles?.next()
                continue
            }
            count += 1
            let (input, number) = MergeKey.position(record.key)
            return Line(bytes: record.payload, input: input, number: number)
        }
        return nil
    }
}
