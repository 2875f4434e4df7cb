internal import TextRendering

package enum Key: Equatable, Sendable {
    /// A typed character.
    case text(Character)
    case enter, escape, tab
    case backspace
    /// Ctrl-U, which clears a line.
    case clear
    /// Ctrl-C, which ends a program.
    case interrupt
    /// Ctrl-Z, which suspends the program.
    case suspend
    case up, down, pageUp, pageDown, home, end
}

/// Parses the bytes that a terminal sends: UTF-8 text, and the sequences of ECMA-48 for special keys.
///
/// An incomplete character or sequence at the end continues with the next bytes. An escape byte at the end is the key
/// Esc, because terminals send a complete sequence. Unknown keys are ignored.
package struct KeyParser {
    private var rest: [UInt8] = []

    package init() {}

    /// The keys in the bytes.
    package mutating func keys(in bytes: [UInt8]) -> [Key] {
        var input = (rest + bytes)[...]
        rest = []
        var keys: [Key] = []
        while !input.isEmpty {
            let start = input
            switch Self.next(&input) {
            case .key(let key): keys.append(key)
            case .nothing: break
            case .unfinished:
                rest = Array(start)
                return keys
            }
        }
        return keys
    }

    private enum Step {
        case key(Key), nothing, unfinished
    }

    private static func next(_ input: inout ArraySlice<UInt8>) -> Step {
        let byte = input.removeFirst()
        switch byte {
        case 0x0A, 0x0D: return .key(.enter)
        case 0x09: return .key(.tab)
        case 0x08, 0x7F: return .key(.backspace)
        case 0x15: return .key(.clear)
        case 0x03: return .key(.interrupt)
        case 0x1A: return .key(.suspend)
        case 0x1B: return sequence(&input)
        case ..<0x20: return .nothing
        default: return character(byte, &input)
        }
    }

    /// Parses the bytes after an escape byte.
    private static func sequence(_ input: inout ArraySlice<UInt8>) -> Step {
        guard let introducer = input.first, introducer == UInt8(ascii: "[") || introducer == UInt8(ascii: "O") else {
            return .key(.escape)
        }
        let parameters = input.dropFirst().prefix { (0x20...0x3F).contains($0) }
        guard parameters.endIndex < input.endIndex else { return .unfinished }
        let final = input[parameters.endIndex]
        input = input[(parameters.endIndex + 1)...]
        return key(final, parameters).map { .key($0) } ?? .nothing
    }

    private static func key(_ final: UInt8, _ parameters: ArraySlice<UInt8>) -> Key? {
        switch final {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "~"):
            // The number after a semicolon lists the modifiers: Shift, Alt and Ctrl.
            switch String(decoding: parameters.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self) {
            case "1", "7": .home
            case "4", "8": .end
            case "5": .pageUp
            case "6": .pageDown
            default: nil
            }
        default: nil
        }
    }

    private static func character(_ byte: UInt8, _ input: inout ArraySlice<UInt8>) -> Step {
        let count =
            switch byte {
            case ..<0x80: 0
            case 0xC2...0xDF: 1
            case 0xE0...0xEF: 2
            case 0xF0...0xF4: 3
            default: -1
            }
        guard count >= 0 else { return .nothing }
        let following = input.prefix(count).prefix { $0 & 0xC0 == 0x80 }
        if following.count < count { return following.endIndex == input.endIndex ? .unfinished : .nothing }
        guard let text = String(validating: [byte] + following, as: UTF8.self), let scalar = text.unicodeScalars.first
        else { return .nothing }
        input = input.dropFirst(count)
        return scalar.isUnprintable ? .nothing : .key(.text(Character(scalar)))
    }
}
