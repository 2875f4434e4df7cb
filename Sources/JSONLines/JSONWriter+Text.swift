// How strings and numbers become bytes.

extension JSONWriter {
    /// Calls `write` with a string's bytes; where they lie in one piece, as they do but for bridged strings, without a
    /// copy of the string.
    @inline(__always)
    mutating func withUTF8(_ text: String, _ write: (inout Self, UnsafeBufferPointer<UInt8>) -> Void) {
        let isWritten: Void? = text.utf8.withContiguousStorageIfAvailable { write(&self, $0) }
        guard isWritten == nil else { return }
        var copy = text
        copy.withUTF8 { write(&self, $0) }
    }

    /// Writes a string between quotes, and a colon after it if it is a name.
    @inline(__always)
    mutating func quoted(_ text: UnsafeBufferPointer<UInt8>, colon: Bool) {
        let count = text.count
        let tail = colon ? 2 : 1
        guard let out = piece(count + 1 + tail) else { return }
        out.pointee = UInt8(ascii: "\"")
        if let source = text.baseAddress {
            let copied = Escapes.copy(source, count, to: out + 1)
            if copied < count { return escaped(text, from: copied, at: out + 1 + copied, tail: tail) }
        }
        out[count + 1] = UInt8(ascii: "\"")
        if colon { out[count + 2] = UInt8(ascii: ":") }
    }

    /// Writes a part of a string.
    @inline(__always)
    mutating func unquoted(_ text: UnsafeBufferPointer<UInt8>) {
        needsComma = false
        guard let source = text.baseAddress, !text.isEmpty, let out = piece(text.count) else { return }
        let copied = Escapes.copy(source, text.count, to: out)
        if copied < text.count { escaped(text, from: copied, at: out + copied, tail: 0) }
    }

    /// The rest of a string from its first byte that needs an escape. Asks for room again at each escape, and never
    /// for more than the rest takes at least.
    @usableFromInline @inline(never)
    mutating func escaped(
        _ text: UnsafeBufferPointer<UInt8>, from first: Int, at place: UnsafeMutablePointer<UInt8>, tail: Int
    ) {
        guard let source = text.baseAddress else { return }
        cursor = place
        var index = first
        while index < text.count {
            let rest = text.count - index - 1
            let length = Escapes.length(of: source[index])
            guard hasRoom(length + rest + tail) else { return }
            Escapes.write(source[index], to: cursor)
            let copied = Escapes.copy(source + (index + 1), rest, to: cursor + length)
            cursor += length + copied
            index += 1 + copied
        }
        if tail > 0 { cursor[0] = UInt8(ascii: "\"") }
        if tail == 2 { cursor[1] = UInt8(ascii: ":") }
        cursor += tail
    }

    /// Writes bytes as they are, as one value.
    @inline(__always)
    mutating func raw(_ text: UnsafeBufferPointer<UInt8>) {
        guard let source = text.baseAddress, !text.isEmpty, let out = piece(text.count) else { return }
        out.update(from: source, count: text.count)
    }

    @inline(__always)
    mutating func literal(_ text: StaticString) {
        guard let out = piece(text.utf8CodeUnitCount) else { return }
        out.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
    }

    /// Writes the digits of an integer.
    @usableFromInline
    mutating func digits(_ magnitude: UInt64, isNegative: Bool) {
        let count = Decimals.count(magnitude)
        let sign = isNegative ? 1 : 0
        guard let out = piece(sign + count) else { return }
        out.pointee = UInt8(ascii: "-")
        Decimals.write(magnitude, endingAt: out + (sign + count))
    }

    /// Writes the digits of an integer of more than 64 bits.
    @usableFromInline
    mutating func wide(_ digits: String) {
        var digits = digits
        digits.withUTF8 { raw($0) }
    }

    /// Writes a count of millionths as a decimal number without trailing zeros.
    mutating func decimal(millionths: UInt64, isNegative: Bool) {
        let (whole, rest) = millionths.quotientAndRemainder(dividingBy: 1_000_000)
        guard rest > 0 else { return digits(whole, isNegative: isNegative) }
        var (fraction, decimals) = (UInt32(truncatingIfNeeded: rest), 6)
        while fraction % 10 == 0 {
            fraction /= 10
            decimals -= 1
        }
        let sign = isNegative ? 1 : 0
        let point = sign + Decimals.count(whole)
        guard let out = piece(point + 1 + decimals) else { return }
        out.pointee = UInt8(ascii: "-")
        Decimals.write(whole, endingAt: out + point)
        out[point] = UInt8(ascii: ".")
        Decimals.write(fraction, count: decimals, to: out + (point + 1))
    }

    /// Writes what the standard library says of a finite number: the shortest form that reads back as the same
    /// value. JSON wants `1` where it says `1.0`.
    mutating func described(_ value: some TextOutputStreamable) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 40) { buffer in
            var digits = DigitStream(buffer: buffer)
            value.write(to: &digits)
            var count = digits.count
            if count > 2, buffer[count - 1] == UInt8(ascii: "0"), buffer[count - 2] == UInt8(ascii: ".") { count -= 2 }
            raw(UnsafeBufferPointer(rebasing: buffer[..<count]))
        }
    }
}

/// Takes the digits of a number without a string in between.
private struct DigitStream: TextOutputStream {
    let buffer: UnsafeMutableBufferPointer<UInt8>
    var count = 0

    mutating func write(_ string: String) {
        for byte in string.utf8 where count < buffer.count {
            buffer[count] = byte
            count += 1
        }
    }

    /// The standard library hands ASCII over here; were it to stop, ``write(_:)`` would do.
    mutating func _writeASCII(_ text: UnsafeBufferPointer<UInt8>) {
        for byte in text where count < buffer.count {
            buffer[count] = byte
            count += 1
        }
    }
}

/// The escapes of RFC 8259: only `"`, `\` and U+0000…U+001F need one.
@usableFromInline
enum Escapes {
    /// Copies text up to the first byte that needs an escape, eight bytes at a time; gives how many it copied. The
    /// bytes behind them, up to `count`, may have been written too.
    @inlinable @inline(__always)
    static func copy(_ text: UnsafePointer<UInt8>, _ count: Int, to out: UnsafeMutablePointer<UInt8>) -> Int {
        let (source, target) = (UnsafeRawPointer(text), UnsafeMutableRawPointer(out))
        var index = 0
        while count - index >= 8 {
            let found = copyWord(source + index, to: target + index)
            if found < 8 { return index + found }
            index += 8
        }
        guard index < count else { return count }
        if count >= 8 {
            // The last eight once more, with what was seen before: it is clean.
            let found = copyWord(source + (count - 8), to: target + (count - 8))
            return count - 8 + found
        }
        if count >= 4 {
            let first = source.loadUnaligned(as: UInt32.self)
            let last = source.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
            target.storeBytes(of: first, as: UInt32.self)
            target.storeBytes(of: last, toByteOffset: count - 4, as: UInt32.self)
            let found = position(UInt64(UInt32(littleEndian: first)) | UInt64(UInt32(littleEndian: last)) << 32)
            return found < 4 ? found : count - 8 + found
        }
        while index < count {
            let byte = text[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return index }
            out[index] = byte
            index += 1
        }
        return count
    }

    @inlinable @inline(__always)
    static func copyWord(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) -> Int {
        let word = source.loadUnaligned(as: UInt64.self)
        target.storeBytes(of: word, as: UInt64.self)
        return position(UInt64(littleEndian: word))
    }

    /// The first of eight bytes that needs an escape, or 8. A borrow can only reach past a byte that was found.
    @inlinable @inline(__always)
    static func position(_ word: UInt64) -> Int {
        let quote = word ^ 0x2222_2222_2222_2222
        let backslash = word ^ 0x5C5C_5C5C_5C5C_5C5C
        let control = (word &- 0x2020_2020_2020_2020) & ~word
        let found =
            control | ((quote &- 0x0101_0101_0101_0101) & ~quote)
            | ((backslash &- 0x0101_0101_0101_0101) & ~backslash)
        return (found & 0x8080_8080_8080_8080).trailingZeroBitCount >> 3
    }

    @inline(__always)
    static func length(of byte: UInt8) -> Int { short(byte) == 0 ? 6 : 2 }

    static func write(_ byte: UInt8, to out: UnsafeMutablePointer<UInt8>) {
        out[0] = UInt8(ascii: "\\")
        let letter = short(byte)
        guard letter == 0 else {
            out[1] = letter
            return
        }
        out[1] = UInt8(ascii: "u")
        out[2] = UInt8(ascii: "0")
        out[3] = UInt8(ascii: "0")
        out[4] = byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1")
        let low = byte & 0x0F
        out[5] = low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10
    }

    /// What follows the backslash of a short escape, or 0.
    private static func short(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
        case 0x08: UInt8(ascii: "b")
        case 0x09: UInt8(ascii: "t")
        case 0x0A: UInt8(ascii: "n")
        case 0x0C: UInt8(ascii: "f")
        case 0x0D: UInt8(ascii: "r")
        default: 0
        }
    }
}

/// Decimal digits, two at a time.
enum Decimals {
    private static let pairs: StaticString = """
        00010203040506070809101112131415161718192021222324252627282930313233343536373839\
        40414243444546474849505152535455565758596061626364656667686970717273747576777879\
        8081828384858687888990919293949596979899
        """

    @inline(__always)
    static func count(_ value: UInt64) -> Int {
        var (rest, count) = (value, 1)
        while rest >= 10_000 {
            rest /= 10_000
            count += 4
        }
        return count + (rest >= 10 ? 1 : 0) + (rest >= 100 ? 1 : 0) + (rest >= 1000 ? 1 : 0)
    }

    @inline(__always)
    static func write(_ value: UInt64, endingAt end: UnsafeMutablePointer<UInt8>) {
        let table = pairs.utf8Start
        var (rest, out) = (value, end)
        while rest >= 100 {
            let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
            rest = quotient
            out -= 2
            out.update(from: table + 2 * Int(truncatingIfNeeded: pair), count: 2)
        }
        if rest >= 10 {
            (out - 2).update(from: table + 2 * Int(truncatingIfNeeded: rest), count: 2)
        } else {
            out[-1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest)
        }
    }

    /// Exactly `count` digits, with zeros in front.
    @inline(__always)
    static func write(_ value: UInt32, count: Int, to out: UnsafeMutablePointer<UInt8>) {
        var (rest, index) = (value, count)
        while index > 0 {
            index -= 1
            out[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }
}
