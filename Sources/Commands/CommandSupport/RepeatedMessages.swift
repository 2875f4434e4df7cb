internal import TextRendering

/// Folds repeated messages: shows the first ones of each kind and counts the others.
///
/// ```swift
/// var messages = RepeatedMessages(shown: 3)
/// for issue in issues where messages.admits("\(issue)") { print("\(issue)") }
/// for rest in messages.takeRest() { print(rest) }  // … and 7,426 more like this
/// ```
///
/// Two messages are of the same kind if they differ only in words with a digit: numbers, ids, lines and columns.
/// After 64 kinds, all further kinds are counted together.
package struct RepeatedMessages: Sendable {
    private struct Kind {
        let first: String
        var count = 0
    }

    /// Kinds that are counted separately.
    private static let maximumKinds = 64

    private let shown: Int
    private var kinds: [String: Kind] = [:]
    /// The kinds by their outline, in the order of their first message.
    private var order: [String] = []
    private var lastSaid = ""
    private var others = 0

    /// - Parameter shown: How many messages of a kind are shown, 1 or more.
    package init(shown: Int) { self.shown = shown }

    /// Counts a message; returns whether to show it.
    package mutating func admits(_ message: String) -> Bool {
        let outline = Self.outline(message)
        if kinds[outline] == nil {
            guard kinds.count < Self.maximumKinds else {
                others += 1
                return false
            }
            kinds[outline] = Kind(first: message)
            order.append(outline)
        }
        kinds[outline]?.count += 1
        guard kinds[outline]?.count ?? 0 <= shown else { return false }
        lastSaid = outline
        return true
    }

    /// The summary lines of the folded messages. Resets all counts.
    package mutating func takeRest() -> [String] {
        var rest: [String] = []
        for outline in order {
            guard let kind = kinds[outline], kind.count > shown else { continue }
            let which = outline == lastSaid && rest.isEmpty ? "" : ": \(kind.first)"
            rest.append("… and \((kind.count - shown).grouped) more like this\(which)")
        }
        if others > 0 { rest.append("… and \(others.grouped) more of other kinds") }
        self = RepeatedMessages(shown: shown)
        return rest
    }

    /// The outline of a message, which identifies its kind: each word that contains a digit is replaced by `#`.
    private static func outline(_ message: String) -> String {
        var outline: [UInt8] = []
        var word: [UInt8] = []
        var hasDigit = false
        func endWord() {
            if hasDigit { outline.append(UInt8(ascii: "#")) } else { outline += word }
            word.removeAll(keepingCapacity: true)
            hasDigit = false
        }
        for byte in message.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                hasDigit = true
                word.append(byte)
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"),
                0x80...:
                word.append(byte)
            default:
                endWord()
                outline.append(byte)
            }
        }
        endWord()
        return String(decoding: outline, as: UTF8.self)
    }
}
