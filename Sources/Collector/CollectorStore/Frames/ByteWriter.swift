/// Appends integers and bytes to a buffer: fixed-size integers in little-endian order, others as LEB128.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    var count: Int { bytes.count }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Removes all bytes from an offset on.
    mutating func truncate(to count: Int) { bytes.removeLast(bytes.count - count) }

    mutating func reserve(_ more: Int) {
        // Doubles the capacity, like append: an exact reservation would copy everything each time.
        if bytes.count + more > bytes.capacity {
            bytes.reserveCapacity(max(bytes.count + more, 2 * bytes.capacity))
        }
    }

    mutating func fixed(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func overwrite(_ value: some FixedWidthInteger, at offset: Int) {
        withUnsafeBytes(of: value.littleEndian) { value in
            for (index, byte) in value.enumerated() { bytes[offset + index] = byte }
        }
    }

    mutating func number(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func number(_ value: Int) { number(UInt64(value)) }

    /// A signed integer; small absolute values are short.
    mutating func signed(_ value: Int64) { number(UInt64(bitPattern: value << 1 ^ value >> 63)) }

    mutating func raw(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

    mutating func raw(_ more: UnsafeRawBufferPointer) { bytes.append(contentsOf: more) }

    mutating func counted(_ more: some Collection<UInt8>) {
        number(more.count)
        raw(more)
    }

    mutating func text(_ text: String) {
        var text = text
        text.withUTF8 { text in
            number(text.count)
            raw(UnsafeRawBufferPointer(text))
        }
    }

    mutating func optionalText(_ text: String?) {
        number(text == nil ? 0 : 1)
        if let text { self.text(text) }
    }

    /// Disjoint ranges of numbers from 1 on, in ascending order.
    mutating func ranges(_ ranges: [ClosedRange<Int64>]) {
        number(ranges.count)
        var last: Int64 = 0
        for range in ranges {
            number(UInt64(range.lowerBound - last))
            number(UInt64(range.upperBound - range.lowerBound))
            last = range.upperBound
        }
    }
}
