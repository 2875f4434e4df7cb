internal import TextRendering

/// The messages of a run, of which those that say the same are folded: the first ones are said, the others counted.
///
/// ```swift
/// var messages = RepeatedMessages(shown: 3)
/// for fault in faults where messages.admits("\(fault)") { say("\(fault)") }
/// for rest in messages.takeRest() { say(rest) }  // … and 7,426 more like this
/// ```
///
/// Two messages say the same if they differ only in words with a digit: numbers, ids, lines and columns. Of so many kinds
/// of messages that no person reads them, the last ones are counted together.
package struct RepeatedMessages: Sendable {
    private struct Kind {
        let first: String
        var count = 0
    }

    /// How many kinds are told apart.
    private static let maximumKinds = 64

    private let shown: Int
    private var kinds: [String: Kind] = [:]
    /// Their outlines, in the order in which they came.
    private var order: [String] = []
    private var lastSaid = ""
    private var others = 0

    /// - Parameter shown: How many messages of a kind are said, 1 or more.
    package init(shown: Int) { self.shown = shown }

    /// Counts a message, and tells whether it is to be said.
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

    /// What is to be said of the messages that were not; from here on everything is new.
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

    /// The message without what differs in messages that say the same.
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
