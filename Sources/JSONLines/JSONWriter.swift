/// Writes JSON text straight into a byte buffer: no tree, no Foundation, commas placed by the writer.
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
/// The output never holds a line feed, so it is one line of a JSON lines file. The caller is responsible for
/// calling in an order that makes JSON (a value after each key, as many ends as begins) and for unique keys.
public struct JSONWriter: Sendable {
    /// What was written so far: UTF-8 without a byte order mark.
    public private(set) var bytes: [UInt8]
    private var needsComma = false

    /// Makes a writer with room for `capacity` bytes before it must grow.
    public init(capacity: Int = 256) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// Forgets what was written and keeps the memory.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    /// Starts an object: `{`.
    @inline(__always)
    public mutating func beginObject() { open(UInt8(ascii: "{")) }

    /// Ends the innermost object: `}`.
    @inline(__always)
    public mutating func endObject() { close(UInt8(ascii: "}")) }

    /// Starts an array: `[`.
    @inline(__always)
    public mutating func beginArray() { open(UInt8(ascii: "[")) }

    /// Ends the innermost array: `]`.
    @inline(__always)
    public mutating func endArray() { close(UInt8(ascii: "]")) }

    /// Writes a member's name; its value must follow.
    public mutating func key(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { appendEscaped($0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a member's name that is known at run time only; its value must follow.
    @_disfavoredOverload
    public mutating func key(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a string with the escapes that RFC 8259 requires, and no others: `/` and non-ASCII stay as they are.
    public mutating func string(_ value: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        var value = value
        value.withUTF8 { appendEscaped($0) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes an integer of any width.
    public mutating func integer(_ value: some FixedWidthInteger) {
        separate()
        guard let magnitude = UInt64(exactly: value.magnitude) else {
            bytes.append(contentsOf: value.description.utf8)  // wider than 64 bits
            return
        }
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        appendDigits(magnitude)
    }

    /// Writes a number in the shortest form that reads back as the same `Double`; whole numbers without `.0`.
    ///
    /// - Returns: false, with nothing written, for NaN and the infinities, which JSON does not have.
    public mutating func number(_ value: Double) -> Bool {
        guard value.isFinite else { return false }
        raw(Self.shortest(value.description))
        return true
    }

    /// Writes a number in the shortest form that reads back as the same `Float`.
    ///
    /// - Returns: false, with nothing written, for NaN and the infinities.
    public mutating func number(_ value: Float) -> Bool {
        guard value.isFinite else { return false }
        raw(Self.shortest(value.description))
        return true
    }

    /// Writes a count of microseconds as seconds: at most six decimals, no trailing zeros, no `.0`.
    public mutating func seconds(microseconds: Int64) {
        separate()
        if microseconds < 0 { bytes.append(UInt8(ascii: "-")) }
        let (whole, fraction) = microseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        appendDigits(whole)
        guard fraction > 0 else { return }
        bytes.append(UInt8(ascii: "."))
        var rest = fraction
        var divisor: UInt64 = 100_000
        while rest > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / divisor))
            rest %= divisor
            divisor /= 10
        }
    }

    /// Writes `true` or `false`.
    public mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

    /// Writes `null`.
    public mutating func null() { raw("null") }

    /// Writes a complete JSON value that was made elsewhere.
    public mutating func value(_ json: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
    }

    /// Writes a string of `count` bytes that need no escaping, filled in by `fill`.
    package mutating func plainString(_ text: some Sequence<UInt8>) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: text)
        bytes.append(UInt8(ascii: "\""))
    }

    // MARK: Bytes

    @inline(__always)
    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func raw(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
    }

    /// Swift's description is the shortest round-trip form already; JSON wants `1` where Swift says `1.0`.
    private static func shortest(_ description: String) -> String {
        description.hasSuffix(".0") ? String(description.dropLast(2)) : description
    }

    private mutating func appendDigits(_ value: UInt64) {
        if value < 10 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value))
            return
        }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var rest = value
            var start = 20
            while rest > 0 {
                start -= 1
                digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            bytes.append(contentsOf: UnsafeMutableBufferPointer(rebasing: digits[start...]))
        }
    }

    /// Appends runs that need no escape in one go; only `"`, `\` and U+0000…U+001F need one.
    private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for index in text.indices {
            let byte = text[index]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
            start = index + 1
            bytes.append(UInt8(ascii: "\\"))
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
            case 0x08: bytes.append(UInt8(ascii: "b"))
            case 0x09: bytes.append(UInt8(ascii: "t"))
            case 0x0A: bytes.append(UInt8(ascii: "n"))
            case 0x0C: bytes.append(UInt8(ascii: "f"))
            case 0x0D: bytes.append(UInt8(ascii: "r"))
            default:
                bytes.append(contentsOf: [UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0")])
                bytes.append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
                let low = byte & 0x0F
                bytes.append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
            }
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }
}
