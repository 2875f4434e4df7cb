// Writes strings and numbers.

extension JSONWriter {
    /// Calls `write` with a string's bytes, without a copy if they are contiguous, which all but bridged strings are.
    @inline(__always)
    mutating func withUTF8(_ text: String, _ write: (inout Self, UnsafeBufferPointer<UInt8>) -> Void) {
        let isWritten: Void? = text.utf8.withContiguousStorageIfAvailable { write(&self, $0) }
        guard isWritten == nil else { return }
        var copy = text
        copy.withUTF8 { write(&self, $0) }
    }

    /// Writes a string that consists of a text and of `tail` bytes that `fill` writes and that need no escape.
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

    /// Writes a string in quotes, and a colon after it for a name.
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

    /// Writes the rest of a string from its first byte that needs an escape. At each escape, reserves the memory that
    /// the rest needs at least.
    @usableFromInline @inline(never)
    mutating func escaped(
        _ text: UnsafeBufferPointer<UInt8>, from first: Int, at location: UnsafeMutablePointer<UInt8>, tail: Int
    ) {
        guard let source = text.baseAddress else { return }
        cursor = location
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

    /// Writes bytes unchanged, as one value.
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
        // The trailing zeros are the digits whose low nibbles are zero, starting at the highest byte.
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

    /// Writes the standard library's description of a finite number: the shortest form that reads back as the same
    /// value. JSON requires `1` where the description is `1.0`.
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

/// Receives the digits of a number without an intermediate string.
private struct DigitStream: TextOutputStream {
    let buffer: UnsafeMutableBufferPointer<UInt8>
    var count = 0

    mutating func write(_ string: String) {
        var string = string
        string.withUTF8 { _writeASCII($0) }
    }

    /// The standard library passes ASCII here; otherwise ``write(_:)`` is called.
    mutating func _writeASCII(_ text: UnsafeBufferPointer<UInt8>) {
        for byte in text where count < buffer.count {
            buffer[count] = byte
            count += 1
        }
    }
}
