internal import EventModel

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Writes the parts of a line one after another into memory. The caller has checked that the memory is large enough.
///
/// Digits are computed eight at a time, without a branch that depends on their values.
struct LineBytes {
    private var next: UnsafeMutableRawPointer

    /// Starts writing at an address.
    init(at start: UnsafeMutableRawPointer) { next = start }

    /// The number of bytes written since `start`.
    func count(from start: UnsafeMutableRawPointer) -> Int { next - start }

    @inline(__always)
    mutating func bytes(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        memcpy(next, start, bytes.count)
        next += bytes.count
    }

    @inline(__always)
    mutating func bytes(_ text: StaticString) {
        memcpy(next, text.utf8Start, text.utf8CodeUnitCount)
        next += text.utf8CodeUnitCount
    }

    @inline(__always)
    mutating func bytes(_ array: [UInt8]) { array.withUnsafeBytes { bytes($0) } }

    /// Writes the 36 characters of an id in lower case.
    @inline(__always)
    mutating func id(_ id: EventID) { uuid(id.high, id.low, letter: UInt8(ascii: "a")) }

    /// Writes the 36 characters of a UUID.
    ///
    /// - Parameter letter: The digit for 10, which decides the case.
    @inline(__always)
    mutating func uuid(_ high: UInt64, _ low: UInt64, letter: UInt8) {
        let gap = UInt64(letter) - UInt64(UInt8(ascii: "0")) - 10
        let middle = Self.hex(high, gap)
        let tail = Self.hex(low >> 32, gap)
        next.storeBytes(of: Self.hex(high >> 32, gap), as: UInt64.self)
        next.storeBytes(of: UInt8(ascii: "-"), toByteOffset: 8, as: UInt8.self)
        next.storeBytes(of: UInt32(truncatingIfNeeded: middle), toByteOffset: 9, as: UInt32.self)
        next.storeBytes(of: UInt8(ascii: "-"), toByteOffset: 13, as: UInt8.self)
        next.storeBytes(of: UInt32(truncatingIfNeeded: middle >> 32), toByteOffset: 14, as: UInt32.self)
        next.storeBytes(of: UInt8(ascii: "-"), toByteOffset: 18, as: UInt8.self)
        next.storeBytes(of: UInt32(truncatingIfNeeded: tail), toByteOffset: 19, as: UInt32.self)
        next.storeBytes(of: UInt8(ascii: "-"), toByteOffset: 23, as: UInt8.self)
        next.storeBytes(of: UInt32(truncatingIfNeeded: tail >> 32), toByteOffset: 24, as: UInt32.self)
        next.storeBytes(of: Self.hex(low, gap), toByteOffset: 28, as: UInt64.self)
        next += 36
    }

    /// The lower 32 bits as eight hexadecimal digits. The first digit is in the lowest byte, which comes first in
    /// memory.
    ///
    /// - Parameter gap: The characters between `9` and the digit for 10.
    @inline(__always)
    private static func hex(_ value: UInt64, _ gap: UInt64) -> UInt64 {
        var digits = value & 0xFFFF_FFFF
        digits = (digits | digits << 16) & 0x0000_FFFF_0000_FFFF
        digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
        digits = (digits | digits << 4) & 0x0F0F_0F0F_0F0F_0F0F
        let letters = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return (digits &+ 0x3030_3030_3030_3030 &+ letters &* gap).byteSwapped.littleEndian
    }

    /// Writes a number in decimal digits. Overwrites up to seven bytes after it, as does ``seconds(microseconds:)``.
    @inline(__always)
    mutating func integer(_ value: Int64) {
        if value < 0 { byte(UInt8(ascii: "-")) }
        digits(value.magnitude)
    }

    /// Writes microseconds as seconds: at most six decimals, no trailing zeros, no `.0`.
    @inline(__always)
    mutating func seconds(microseconds: Int64) {
        if microseconds < 0 { byte(UInt8(ascii: "-")) }
        let (whole, fraction) = microseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        digits(whole)
        guard fraction > 0 else { return }
        // Digits 3 to 8 of eight, with the decimal point before them.
        let text = Self.eightDigits(fraction) >> 8 & ~0xFF | UInt64(UInt8(ascii: "."))
        next.storeBytes(of: text.littleEndian, as: UInt64.self)
        let zeros = (text ^ 0x0030_3030_3030_3000).leadingZeroBitCount / 8 - 1
        next += 7 - zeros
    }

    @inline(__always)
    private mutating func byte(_ byte: UInt8) {
        next.storeBytes(of: byte, as: UInt8.self)
        next += 1
    }

    @inline(__always)
    private mutating func digits(_ value: UInt64) {
        guard value >= 100_000_000 else { return firstDigits(value) }
        let (upper, lower) = value.quotientAndRemainder(dividingBy: 100_000_000)
        if upper < 100_000_000 {
            firstDigits(upper)
        } else {
            let (top, middle) = upper.quotientAndRemainder(dividingBy: 100_000_000)
            firstDigits(top)
            allDigits(middle)
        }
        allDigits(lower)
    }

    /// Writes the digits of a number below 10⁸.
    @inline(__always)
    private mutating func firstDigits(_ value: UInt64) {
        let digits = Self.eightDigits(value)
        // Zero keeps its last digit.
        let zeros = min((digits ^ 0x3030_3030_3030_3030).trailingZeroBitCount / 8, 7)
        next.storeBytes(of: (digits >> (UInt64(zeros) * 8)).littleEndian, as: UInt64.self)
        next += 8 - zeros
    }

    /// Eight digits of a number below 10⁸.
    @inline(__always)
    private mutating func allDigits(_ value: UInt64) {
        next.storeBytes(of: Self.eightDigits(value).littleEndian, as: UInt64.self)
        next += 8
    }

    /// A number below 10⁸ as eight digits. The first digit is in the lowest byte, which comes first in memory.
    ///
    /// Divides halves, then quarters, then eighths in parallel. The factors are 2²⁰/100 and 2¹⁰/10, rounded up.
    @inline(__always)
    private static func eightDigits(_ value: UInt64) -> UInt64 {
        let thousands = value / 10_000
        var digits = thousands | (value - thousands * 10_000) << 32
        let hundreds = (digits &* 10_486) >> 20 & 0x0000_007F_0000_007F
        digits = hundreds | (digits &- hundreds &* 100) << 16
        let tens = (digits &* 103) >> 10 & 0x000F_000F_000F_000F
        digits = tens | (digits &- tens &* 10) << 8
        return digits | 0x3030_3030_3030_3030
    }
}
