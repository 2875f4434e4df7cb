#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif
internal import EventLog

/// Writes the parts of a line one behind the other into memory that is large enough: who starts it has checked that.
struct LineBytes {
    private var next: UnsafeMutableRawPointer

    /// Starts at an address.
    init(at start: UnsafeMutableRawPointer) { next = start }

    /// How many bytes were written.
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

    /// The 36 characters of an id in lower case.
    @inline(__always)
    mutating func id(_ id: EventID) {
        let (middle, tail) = (Self.hex(id.high), Self.hex(id.low >> 32))
        next.storeBytes(of: Self.hex(id.high >> 32), as: UInt64.self)
        next.storeBytes(of: UInt8(ascii: "-"), toByteOffset: 8, as: UInt8.self)
        next.storeBytes(of: UInt32(truncatingIfNeeded: middle), toByteOffset: 9, as: UInt32.self)
        next.storeBytes(of: UInt8(ascii: "-"), toByteOffset: 13, as: UInt8.self)
        next.storeBytes(of: UInt32(truncatingIfNeeded: middle >> 32), toByteOffset: 14, as: UInt32.self)
        next.storeBytes(of: UInt8(ascii: "-"), toByteOffset: 18, as: UInt8.self)
        next.storeBytes(of: UInt32(truncatingIfNeeded: tail), toByteOffset: 19, as: UInt32.self)
        next.storeBytes(of: UInt8(ascii: "-"), toByteOffset: 23, as: UInt8.self)
        next.storeBytes(of: UInt32(truncatingIfNeeded: tail >> 32), toByteOffset: 24, as: UInt32.self)
        next.storeBytes(of: Self.hex(id.low), toByteOffset: 28, as: UInt64.self)
        next += 36
    }

    /// The lower 32 bits as eight hexadecimal digits: the first in the lowest byte, which comes first in memory.
    @inline(__always)
    private static func hex(_ value: UInt64) -> UInt64 {
        var digits = value & 0xFFFF_FFFF
        digits = (digits | digits << 16) & 0x0000_FFFF_0000_FFFF
        digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
        digits = (digits | digits << 4) & 0x0F0F_0F0F_0F0F_0F0F
        let letters = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return (digits &+ 0x3030_3030_3030_3030 &+ letters &* 0x27).byteSwapped.littleEndian
    }

    /// A number in decimal digits.
    @inline(__always)
    mutating func integer(_ value: Int64) {
        if value < 0 { byte(UInt8(ascii: "-")) }
        digits(value.magnitude)
    }

    /// Microseconds as seconds: at most six decimals, no trailing zeros, no `.0`.
    @inline(__always)
    mutating func seconds(microseconds: Int64) {
        if microseconds < 0 { byte(UInt8(ascii: "-")) }
        let (whole, fraction) = microseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        digits(whole)
        guard fraction > 0 else { return }
        byte(UInt8(ascii: "."))
        let rest = fraction % 10_000
        pair(fraction / 10_000, at: 0)
        pair(rest / 100, at: 2)
        pair(rest % 100, at: 4)
        next += 6
        while (next - 1).load(as: UInt8.self) == UInt8(ascii: "0") { next -= 1 }
    }

    @inline(__always)
    private mutating func byte(_ byte: UInt8) {
        next.storeBytes(of: byte, as: UInt8.self)
        next += 1
    }

    @inline(__always)
    private mutating func digits(_ value: UInt64) {
        var count = 1
        var limit: UInt64 = 10
        while count < 20, value >= limit {
            count += 1
            limit = limit &* 10
        }
        var (rest, place) = (value, count)
        while rest >= 100 {
            let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: 100)
            place -= 2
            pair(remainder, at: place)
            rest = quotient
        }
        if place == 2 {
            pair(rest, at: 0)
        } else {
            next.storeBytes(of: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest), as: UInt8.self)
        }
        next += count
    }

    /// The two digits of a number below 100.
    @inline(__always)
    private func pair(_ value: UInt64, at offset: Int) {
        let tens = value / 10
        next.storeBytes(of: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: tens), toByteOffset: offset, as: UInt8.self)
        next.storeBytes(
            of: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value - tens * 10), toByteOffset: offset + 1,
            as: UInt8.self)
    }
}
