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

    /// Writes a string of a text and of `tail` bytes that `fill` fills in and that need no escaping.
    @inline(__always)
    mutating func quoted(
        _ text: UnsafeBufferPointer<UInt8>, tail: Int, fill: (UnsafeMutableRawBufferPointer) -> Void
    ) {
        let count = text.count
        guard let source = text.baseAddress, let out = piece(count + tail + 2) else { return }
        out[0] = UInt8(ascii: "\"")
        var end = out + 1 + count
        let copied = Escapes.copy(source, count, to: out + 1)
        if copied < count {
            escaped(text, from: copied, at: out + 1 + copied, tail: 0)
            guard hasRoom(tail + 1) else { return }
            end = cursor
            cursor += tail + 1
        }
        fill(UnsafeMutableRawBufferPointer(start: end, count: tail))
        end[tail] = UInt8(ascii: "\"")
    }

    /// Writes a string between quotes, and a colon after it if it is a name.
    @inline(__always)
    mutating func quoted(_ text: UnsafeBufferPointer<UInt8>, colon: Bool) {
        let count = text.count
        let tail = colon ? 2 : 1
        guard let out = piece(count &+ 1 &+ tail) else { return }
        out.pointee = UInt8(ascii: "\"")
        if let source = text.baseAddress {
            let copied = Escapes.copy(source, count, to: out + 1)
            if copied < count { return escaped(text, from: copied, at: out + 1 + copied, tail: tail) }
        }
        out[count &+ 1] = UInt8(ascii: "\"")
        if colon { out[count &+ 2] = UInt8(ascii: ":") }
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
        var fraction = Decimals.six(UInt32(truncatingIfNeeded: rest))
        // The trailing zeros are the digits whose low nibbles are empty, from the highest byte down.
        let decimals = 6 - ((fraction & 0x0F0F_0F0F_0F0F).leadingZeroBitCount - 16) >> 3
        let sign = isNegative ? 1 : 0
        let point = sign + Decimals.count(whole)
        guard let out = piece(point + 1 + decimals) else { return }
        out.pointee = UInt8(ascii: "-")
        Decimals.write(whole, endingAt: out + point)
        out[point] = UInt8(ascii: ".")
        for index in 1...decimals {
            out[point + index] = UInt8(truncatingIfNeeded: fraction)
            fraction >>= 8
        }
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
    /// Copies text up to the first byte that needs an escape, sixteen bytes at a time; gives how many it copied. The
    /// bytes behind them, up to `count`, may have been written too.
    @inlinable @inline(__always)
    static func copy(_ text: UnsafePointer<UInt8>, _ count: Int, to out: UnsafeMutablePointer<UInt8>) -> Int {
        let (source, target) = (UnsafeRawPointer(text), UnsafeMutableRawPointer(out))
        var index = 0
        if count >= 16 {
            // What is left over is copied as the last sixteen bytes; those among them that were seen before are clean.
            let last = count &- 16
            while true {
                let found = copyPair(source + index, to: target + index)
                if found < 16 { return index &+ found }
                if index == last { return count }
                index = min(index &+ 16, last)
            }
        }
        if count >= 8 {
            let first = copyWord(source, to: target)
            if first < 8 { return first }
            return count &- 8 &+ copyWord(source + (count &- 8), to: target + (count &- 8))
        }
        if count >= 4 {
            let first = source.loadUnaligned(as: UInt32.self)
            let last = source.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
            target.storeBytes(of: first, as: UInt32.self)
            target.storeBytes(of: last, toByteOffset: count - 4, as: UInt32.self)
            let both = UInt64(UInt32(littleEndian: first)) | UInt64(UInt32(littleEndian: last)) << 32
            let found = position(marks(both))
            return found < 4 ? found : count &- 8 &+ found
        }
        while index < count {
            let byte = text[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return index }
            out[index] = byte
            index &+= 1
        }
        return count
    }

    /// Whether a text needs no escape. In one block without branches: for a literal, the compiler knows the answer.
    @inlinable @inline(__always)
    static func isPlain(_ text: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        var marks: UInt8 = 0
        var index = 0
        while index < count {
            let byte = text[index]
            marks |= ((byte &- 0x20) | ((byte ^ 0x22) &- 1) | ((byte ^ 0x5C) &- 1)) & ~byte
            index &+= 1
        }
        return marks < 0x80
    }

    /// Copies sixteen bytes, and gives the first that needs an escape, or 16.
    @inlinable @inline(__always)
    static func copyPair(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) -> Int {
        let pair = source.loadUnaligned(as: SIMD2<UInt64>.self)
        target.storeBytes(of: pair, as: SIMD2<UInt64>.self)
        let control = pair &- SIMD2(repeating: 0x2020_2020_2020_2020)
        let quote = (pair ^ SIMD2(repeating: 0x2222_2222_2222_2222)) &- SIMD2(repeating: 0x0101_0101_0101_0101)
        let backslash = (pair ^ SIMD2(repeating: 0x5C5C_5C5C_5C5C_5C5C)) &- SIMD2(repeating: 0x0101_0101_0101_0101)
        let found = (control | quote | backslash) & ~pair & SIMD2(repeating: 0x8080_8080_8080_8080)
        if _fastPath(found.x | found.y == 0) { return 16 }
        let first = position(marks(UInt64(littleEndian: pair.x)))
        return first < 8 ? first : 8 &+ position(marks(UInt64(littleEndian: pair.y)))
    }

    /// Copies eight bytes, and gives the first that needs an escape, or 8.
    @inlinable @inline(__always)
    static func copyWord(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) -> Int {
        let word = source.loadUnaligned(as: UInt64.self)
        target.storeBytes(of: word, as: UInt64.self)
        return position(marks(UInt64(littleEndian: word)))
    }

    /// The high bit of each of eight bytes that needs an escape, right up to the first.
    ///
    /// Each subtraction sets the high bit of a byte that was found, or had it set before, which `~word` takes out. A
    /// borrow only reaches past a byte that was found.
    @inlinable @inline(__always)
    static func marks(_ word: UInt64) -> UInt64 {
        let control = word &- 0x2020_2020_2020_2020
        let quote = (word ^ 0x2222_2222_2222_2222) &- 0x0101_0101_0101_0101
        let backslash = (word ^ 0x5C5C_5C5C_5C5C_5C5C) &- 0x0101_0101_0101_0101
        return (control | quote | backslash) & ~word & 0x8080_8080_8080_8080
    }

    /// The first byte that is marked, or 8.
    @inlinable @inline(__always)
    static func position(_ marks: UInt64) -> Int { _fastPath(marks == 0) ? 8 : marks.trailingZeroBitCount >> 3 }

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
        var (rest, out) = (value, end)
        while rest >= 10_000 {
            let (quotient, four) = rest.quotientAndRemainder(dividingBy: 10_000)
            rest = quotient
            out -= 4
            pair(UInt32(truncatingIfNeeded: four) / 100, to: out)
            pair(UInt32(truncatingIfNeeded: four) % 100, to: out + 2)
        }
        var four = UInt32(truncatingIfNeeded: rest)
        if four >= 100 {
            out -= 2
            pair(four % 100, to: out)
            four /= 100
        }
        if four >= 10 {
            pair(four, to: out - 2)
        } else {
            out[-1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: four)
        }
    }

    /// Exactly six digits, with zeros in front, as the first six bytes from the lowest.
    @inline(__always)
    static func six(_ value: UInt32) -> UInt64 {
        // Groups of three, each spread to bytes: a digit a byte, the first in the lowest.
        func three(_ value: UInt32) -> UInt64 {
            let (first, rest) = (value / 100, value % 100)
            return UInt64(first) | UInt64(rest / 10) << 8 | UInt64(rest % 10) << 16
        }
        return (three(value / 1000) | three(value % 1000) << 24) &+ 0x3030_3030_3030
    }

    @inline(__always)
    private static func pair(_ value: UInt32, to out: UnsafeMutablePointer<UInt8>) {
        out.update(from: pairs.utf8Start + 2 * Int(value), count: 2)
    }
}
