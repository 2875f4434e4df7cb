/// Writes JSON text directly into a byte buffer: no tree, no Foundation, automatic commas.
///
/// ```swift
/// var json = JSONWriter()
/// json.beginObject()
/// json.key("query"); json.string("flux")
/// json.key("page"); json.integer(1)
/// json.endObject()
/// json.bytes   // {"query":"flux","page":1}
/// ```
///
/// The output contains no line feed, so it is one line of a JSON lines file. You must call the methods in an order that
/// makes valid JSON (a value after each key, matching begins and ends), with unique keys.
///
/// A writer owns its buffer and can't be copied: pass it as `inout`, and reuse it with ``removeAll()``. Once the buffer
/// is large enough, writing allocates nothing.
// It is Sendable without a lock, because no other value shares its memory.
public struct JSONWriter: ~Copyable, @unchecked Sendable {
    /// The address of the next byte.
    @usableFromInline var cursor: UnsafeMutablePointer<UInt8>
    /// The end of the reserved memory.
    @usableFromInline var limit: UnsafeMutablePointer<UInt8>
    @usableFromInline var needsComma = false
    /// Whether the output exceeded the external memory of the writer, and is therefore incomplete. Always false for a
    /// writer with its own buffer.
    package private(set) var overflowed = false

    private let isFixed: Bool
    private(set) var start: UnsafeMutablePointer<UInt8>
    private var end: UnsafeMutablePointer<UInt8>

    /// Makes a writer with an initial capacity in bytes.
    public init(capacity: Int = 256) {
        isFixed = false
        start = capacity > 0 ? .allocate(capacity: capacity) : Self.nowhere
        cursor = start
        end = start + max(capacity, 0)
        limit = end
    }

    /// Makes a writer over external memory, which must outlive it. It never writes past the end: output that does not
    /// fit sets ``overflowed``, and nothing more is written.
    package init(over memory: UnsafeMutableRawBufferPointer) {
        isFixed = true
        start = memory.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? Self.nowhere
        cursor = start
        end = start + memory.count
        limit = end
    }

    deinit {
        if !isFixed, end > start { start.deallocate() }
    }

    /// A copy of the output so far: UTF-8 without a byte order mark. ``withUnsafeBytes(_:)`` avoids the copy.
    public var bytes: [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }

    /// The number of bytes written so far.
    public var count: Int {
        @inline(__always) get { cursor - start }
    }

    /// Calls `body` with the output so far. The pointer is valid during the call only.
    public borrowing func withUnsafeBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Removes the output and keeps the memory.
    public mutating func removeAll() { rewind(to: Mark(count: 0, needsComma: false)) }

    /// Removes the output within a value and keeps the memory. Further output continues the value.
    package mutating func removeWritten() { rewind(to: Mark(count: 0, needsComma: needsComma)) }

    /// A position to rewind to.
    package struct Mark: Sendable {
        let count: Int
        let needsComma: Bool
    }

    /// The current position.
    package var mark: Mark { Mark(count: count, needsComma: needsComma) }

    /// Removes all output after `mark`, and resets an overflow.
    package mutating func rewind(to mark: Mark) {
        cursor = start + mark.count
        needsComma = mark.needsComma
        limit = end
        overflowed = false
    }

    /// Replaces the last bytes with as many others.
    mutating func replaceTail(with bytes: [UInt8]) {
        guard bytes.count <= count else { return }
        bytes.withUnsafeBufferPointer { tail in
            guard let source = tail.baseAddress else { return }
            (cursor - tail.count).update(from: source, count: tail.count)
        }
    }

    /// Starts an object: `{`.
    @inlinable @inline(__always)
    public mutating func beginObject() { open(UInt8(ascii: "{")) }

    /// Ends the innermost object: `}`.
    @inlinable @inline(__always)
    public mutating func endObject() { close(UInt8(ascii: "}")) }

    /// Starts an array: `[`.
    @inlinable @inline(__always)
    public mutating func beginArray() { open(UInt8(ascii: "[")) }

    /// Ends the innermost array: `]`.
    @inlinable @inline(__always)
    public mutating func endArray() { close(UInt8(ascii: "]")) }

    /// Writes a member's name. Its value must follow.
    // Inlined, so that the compiler sees the literal: it searches for escapes at compile time, and only one capacity
    // check and a few stores remain at run time.
    @inlinable @inline(__always)
    public mutating func key(_ name: StaticString) {
        guard name.hasPointerRepresentation, Escapes.isPlain(name.utf8Start, name.utf8CodeUnitCount) else {
            return name.withUTF8Buffer { anyKey($0) }
        }
        let count = name.utf8CodeUnitCount
        if let out = piece(count &+ 3) {
            out[0] = UInt8(ascii: "\"")
            (out + 1).update(from: name.utf8Start, count: count)
            out[count &+ 1] = UInt8(ascii: "\"")
            out[count &+ 2] = UInt8(ascii: ":")
        }
        needsComma = false
    }

    @usableFromInline @inline(never)
    mutating func anyKey(_ name: UnsafeBufferPointer<UInt8>) {
        quoted(name, colon: true)
        needsComma = false
    }

    /// Writes a member's name that is only known at run time. Its value must follow.
    @_disfavoredOverload
    public mutating func key(_ name: String) {
        withUTF8(name) { $0.anyKey($1) }
    }

    /// Writes a string with the escapes that RFC 8259 requires, and no others: `/` and non-ASCII stay as they are.
    public mutating func string(_ value: String) {
        withUTF8(value) { $0.quoted($1, colon: false) }
    }

    /// Writes a string from its UTF-8, with the escapes that RFC 8259 requires, and no others. The bytes are not checked.
    package mutating func string(utf8: UnsafeRawBufferPointer) {
        utf8.withMemoryRebound(to: UInt8.self) { quoted($0, colon: false) }
    }

    /// Writes an integer.
    @inlinable
    public mutating func integer(_ value: Int) { digits(UInt64(value.magnitude), isNegative: value < 0) }

    /// Writes an integer.
    @inlinable
    public mutating func integer(_ value: Int64) { digits(value.magnitude, isNegative: value < 0) }

    /// Writes an integer of any width.
    @inlinable
    public mutating func integer(_ value: some FixedWidthInteger) {
        if let magnitude = UInt64(exactly: value.magnitude) {
            digits(magnitude, isNegative: value < 0)
        } else {
            wide(value.description)
        }
    }

    /// Writes a number in the shortest form that reads back as the same `Double`; whole numbers without `.0`.
    ///
    /// - Returns: false, without output, for NaN and the infinities, which JSON can't represent.
    public mutating func number(_ value: Double) -> Bool {
        guard value.isFinite else { return false }
        let magnitude = value.magnitude
        let isNegative = value.sign == .minus
        if magnitude < 0x1p53 {
            let whole = UInt64(magnitude)
            if Double(whole) == magnitude {
                digits(whole, isNegative: isNegative)
                return true
            }
            // A decimal with at most 15 digits that reads back as the value is the shortest.
            if magnitude >= 0.0001, magnitude < 999_999_999 {
                let millionths = UInt64(magnitude * 1_000_000 + 0.5)
                if Double(millionths) / 1_000_000 == magnitude {
                    decimal(millionths: millionths, isNegative: isNegative)
                    return true
                }
            }
        }
        described(value)
        return true
    }

    /// Writes a number in the shortest form that reads back as the same `Float`.
    ///
    /// - Returns: false, without output, for NaN and the infinities.
    public mutating func number(_ value: Float) -> Bool {
        guard value.isFinite else { return false }
        described(value)
        return true
    }

    /// Writes microseconds as seconds: at most six decimals, no trailing zeros, no `.0`.
    public mutating func seconds(microseconds: Int64) {
        decimal(millionths: microseconds.magnitude, isNegative: microseconds < 0)
    }

    /// Writes `true` or `false`.
    public mutating func bool(_ value: Bool) {
        if value { literal("true") } else { literal("false") }
    }

    /// Writes `null`.
    public mutating func null() { literal("null") }

    /// Writes a complete, encoded JSON value.
    public mutating func value(_ json: some Sequence<UInt8>) {
        let isWritten: Void? = json.withContiguousStorageIfAvailable { raw($0) }
        if isWritten == nil { Array(json).withUnsafeBufferPointer { raw($0) } }
    }

    /// Writes a complete, encoded JSON value.
    public mutating func value(_ json: [UInt8]) { json.withUnsafeBufferPointer { raw($0) } }

    /// Writes a complete, encoded JSON value.
    package mutating func value(_ json: UnsafeRawBufferPointer) { json.withMemoryRebound(to: UInt8.self) { raw($0) } }

    /// Writes a string of bytes that need no escape.
    package mutating func plainString(_ text: some Collection<UInt8>) {
        plainString(count: text.count) { _ = $0.initializeMemory(as: UInt8.self, from: text) }
    }

    /// Writes a string of `count` bytes that need no escape. `fill` must write all of them.
    @inlinable
    package mutating func plainString(count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
        guard let out = piece(count + 2) else { return }
        out[0] = UInt8(ascii: "\"")
        fill(UnsafeMutableRawBufferPointer(start: out + 1, count: count))
        out[count + 1] = UInt8(ascii: "\"")
    }

    /// Writes a string that consists of `text`, escaped, and of `tail` bytes that need no escape. `fill` must write all
    /// of these.
    package mutating func string(_ text: String, tail: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
        withUTF8(text) { $0.quoted($1, tail: tail, fill: fill) }
    }

    /// The address of writers without memory: the capacity is zero, so nothing is written there.
    private static var nowhere: UnsafeMutablePointer<UInt8> {
        UnsafeMutablePointer(bitPattern: 16).unsafelyUnwrapped
    }

    /// Whether `count` more bytes fit at the cursor.
    @inlinable @inline(__always)
    mutating func hasRoom(_ count: Int) -> Bool { _fastPath(limit - cursor >= count) || makeRoom(count) }

    @usableFromInline @inline(never)
    mutating func makeRoom(_ count: Int) -> Bool {
        guard !isFixed else {
            overflowed = true
            limit = cursor
            return false
        }
        let used = self.count
        let capacity = max(2 * (end - start), used + count, 64)
        let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        grown.update(from: start, count: used)
        if end > start { start.deallocate() }
        start = grown
        cursor = grown + used
        end = grown + capacity
        limit = end
        return true
    }

    /// The address for the `count` bytes of a value, after a comma if needed; at least one byte.
    @inlinable @inline(__always)
    mutating func piece(_ count: Int) -> UnsafeMutablePointer<UInt8>? {
        let comma = needsComma ? 1 : 0
        guard hasRoom(count &+ comma) else { return nil }
        let out = cursor
        out.pointee = UInt8(ascii: ",")  // overwritten by the value's first byte if none is needed
        cursor = out + (comma &+ count)
        needsComma = true
        return out + comma
    }

    @inlinable @inline(__always)
    mutating func open(_ bracket: UInt8) {
        guard let out = piece(1) else { return }
        out.pointee = bracket
        needsComma = false
    }

    @inlinable @inline(__always)
    mutating func close(_ bracket: UInt8) {
        needsComma = true
        guard hasRoom(1) else { return }
        cursor.pointee = bracket
        cursor += 1
    }
}
