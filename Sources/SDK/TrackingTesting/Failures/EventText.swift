internal import TrackingCore

/// The text of an event in a failure: the JSON of its line, with the original text after each hash.
///
/// Hashes alone would not show what differs. The event still has the original text, since properties are hashed when
/// they are written.
struct EventText {
    private static let digestLength = 64
    /// The maximum number of values that are searched for strings in an event, and the maximum depth: a class may refer
    /// to itself.
    private static let maximumValues = 10_000
    private static let maximumDepth = 32

    /// The events whose strings are known.
    private let events: [any TrackingEvent]

    init(of events: [any TrackingEvent]) { self.events = events }

    static func text(_ event: some TrackingEvent) -> String {
        EventText(of: [event]).annotated(FiredEvent(event).description)
    }

    static func text(_ container: TrackingContainer) -> String {
        let event: any TrackingEvent = container.event
        return text(event)
    }

    /// JSON with the original text after each string of 64 hexadecimal digits.
    func annotated(_ json: String) -> String { annotated([json])[0] }

    /// Several lines of JSON, annotated like a single one.
    func annotated(_ lines: [String]) -> [String] {
        let digests = lines.map { Self.digests(in: Array($0.utf8)) }
        guard digests.contains(where: { !$0.isEmpty }) else { return lines }
        let texts = Self.texts(in: events)
        let sources = Dictionary(texts.map { (Redaction.hash($0), $0) }) { first, _ in first }
        return zip(lines, digests).map { line, ends in
            let bytes = Array(line.utf8)
            var result = ""
            var start = 0
            for end in ends {
                let digest = String(decoding: bytes[(end - Self.digestLength - 1)..<(end - 1)], as: UTF8.self)
                result += String(decoding: bytes[start..<end], as: UTF8.self)
                if let source = sources[digest] {
                    result += " (hash of \(String(reflecting: source)))"
                } else if !texts.contains(digest) {
                    result += " (perhaps a hash: compare it with Redaction.hash(\"…\"))"
                }
                start = end
            }
            return result + String(decoding: bytes[start...], as: UTF8.self)
        }
    }

    /// The offsets after the quote at which strings of 64 lowercase hexadecimal digits end.
    private static func digests(in json: [UInt8]) -> [Int] {
        let quote = UInt8(ascii: "\"")
        var ends: [Int] = []
        var digits = 0
        for (index, byte) in json.enumerated() {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): digits += 1
            default:
                let start = index - digits - 1
                if byte == quote, digits == digestLength, start >= 0, json[start] == quote { ends.append(index + 1) }
                digits = 0
            }
        }
        return ends
    }

    /// All strings in the properties of events, nested values included.
    private static func texts(in events: [any TrackingEvent]) -> Set<String> {
        var texts: Set<String> = []
        var rest = maximumValues
        func collect(_ value: Any, _ depth: Int) {
            guard rest > 0, depth < maximumDepth else { return }
            rest -= 1
            if let text = value as? String { texts.insert(text) }
            var mirror: Mirror? = Mirror(reflecting: value)
            while let current = mirror {
                for child in current.children { collect(child.value, depth + 1) }
                mirror = current.superclassMirror
            }
        }
        for event in events { collect(event, 0) }
        return texts
    }
}
