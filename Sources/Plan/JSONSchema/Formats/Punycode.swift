/// Encoded labels of internationalized host names (RFC 3492).
enum Punycode {
    /// Returns whether the text after `xn--` decodes to a label with a non-ASCII character, in which every character
    /// has an allowed class, no hyphen is first, last, or third and fourth, and no combining mark is first (RFC 5891,
    /// sections 4.2.3.1 and 4.2.3.2). Contextual rules about neighboring characters are not checked.
    static func isInternationalLabel(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        // Every character comes from at least one byte.
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: max(text.count, 1)) { room in
            guard let count = decode(text, into: room) else { return false }
            let label = UnsafeMutableBufferPointer(rebasing: room[..<count])
            let hyphen = UInt32(UInt8(ascii: "-"))
            guard let first = label.first, first != hyphen, label.last != hyphen else { return false }
            guard count < 4 || label[2] != hyphen || label[3] != hyphen else { return false }
            guard label.contains(where: { $0 >= 0x80 }), label.allSatisfy({ $0 < 0x80 || isAllowed($0) }) else {
                return false
            }
            return Unicode.Scalar(first).map { !isMark($0) } ?? false
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    /// Returns whether a non-ASCII character is allowed in labels, alone or in some contexts (RFC 5892, section 3).
    private static func isAllowed(_ value: UInt32) -> Bool {
        guard let scalar = Unicode.Scalar(value) else { return false }
        switch value {
        // The exceptions of section 2.6, and the joiners.
        case 0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007, 0xB7, 0x375, 0x5F3, 0x5F4, 0x30FB, 0x200C, 0x200D: return true
        case 0x640, 0x7FA, 0x302E, 0x302F, 0x3031...0x3035, 0x303B: return false
        default: break
        }
        switch scalar.properties.generalCategory {
        case .lowercaseLetter, .otherLetter, .modifierLetter, .decimalNumber, .nonspacingMark, .spacingMark:
            return !scalar.properties.changesWhenNFKCCaseFolded && !scalar.properties.isDefaultIgnorableCodePoint
        default: return false
        }
    }

    /// Decodes (section 6.2) and returns the number of characters; nil for invalid Punycode.
    private static func decode(
        _ text: UnsafeBufferPointer<UInt8>, into room: UnsafeMutableBufferPointer<UInt32>
    ) -> Int? {
        var count = 0
        var location = 0
        if let hyphen = text.lastIndex(of: UInt8(ascii: "-")) {
            // Without ASCII characters there is no hyphen (section 6.3).
            guard hyphen > text.startIndex else { return nil }
            for byte in text[..<hyphen] {
                room[count] = UInt32(byte)
                count += 1
            }
            location = hyphen + 1
        }
        // A label has at most 59 bytes here, but the numbers in it may be of any size.
        var scalar = 128
        var index = 0
        var bias = 72
        while location < text.count {
            let before = index
            var weight = 1
            var threshold = -bias
            while true {
                guard location < text.count, let digit = digit(text[location]) else { return nil }
                location += 1
                threshold += 36
                index += digit * weight
                guard index <= 0xFFFF_FFFF else { return nil }
                let bound = min(max(threshold, 1), 26)
                if digit < bound { break }
                weight *= 36 - bound
                guard weight <= 0xFFFF_FFFF else { return nil }
            }
            count += 1
            bias = adapted(index - before, count, isFirst: before == 0)
            scalar += index / count
            index %= count
            guard scalar <= 0x10FFFF, scalar & 0x1F_F800 != 0xD800 else { return nil }
            for moved in stride(from: count - 1, to: index, by: -1) { room[moved] = room[moved - 1] }
            room[index] = UInt32(scalar)
            index += 1
        }
        return count
    }

    /// Returns the bias for the next number (section 6.1).
    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var bias = 0
        while delta > 35 * 26 / 2 {
            delta /= 35
            bias += 36
        }
        return bias + 36 * delta / (delta + 38)
    }

    private static func digit(_ byte: UInt8) -> Int? {
        if ASCII.isLetter(byte) { return Int((byte | 0x20) - UInt8(ascii: "a")) }
        return ASCII.isDigit(byte) ? Int(byte - UInt8(ascii: "0")) + 26 : nil
    }
}
