internal import Foundation
internal import JSONSchema
internal import TrackingPlan

/// Findings that are alike: they call for one remedy.
struct FindingGroup {
    /// What they have in common.
    struct Key: Hashable {
        let kind: LineFinding.Kind
        /// What the lines name as their schema, `search/1-0-0`; nil if they name none.
        let event: String?
        let instancePath: String
        let schemaLocation: String
        let keyword: String
        let message: String

        /// The event, the value, and what is wrong with it: `search/1-0-0: /event/value/page: must be at least 1`.
        var sentence: String { Self.sentence([event, instancePath, message]) }

        /// The same within an event.
        var shortSentence: String { Self.sentence([instancePath, message]) }

        private static func sentence(_ parts: [String?]) -> String {
            parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ": ")
        }
    }

    let key: Key
    private(set) var count = 0
    private(set) var span = TimeSpan()
    /// The first one's.
    let sample: LinePlace

    init(_ key: Key, at sample: LinePlace) {
        self.key = key
        self.sample = sample
    }

    mutating func add(at microseconds: Int64?) {
        count += 1
        if let microseconds { span.add(microseconds) }
    }

    mutating func add(_ other: FindingGroup) {
        count += other.count
        span.add(other.span)
    }

    /// The same group with its sample elsewhere.
    func moved(by lines: Int) -> FindingGroup {
        var moved = FindingGroup(key, at: sample.moved(by: lines))
        moved.add(self)
        return moved
    }
}

extension FindingGroup.Key {
    init(_ finding: LineFinding, event: String?) {
        var message = finding.message
        // How much there is differs from line to line.
        if SchemaKeyword(rawValue: finding.keyword)?.isCounting == true, let end = message.range(of: ", and ") {
            message = String(message[..<end.lowerBound])
        }
        self.init(
            kind: finding.kind, event: event, instancePath: finding.instancePath.shortened,
            schemaLocation: finding.schemaLocation, keyword: finding.keyword, message: message.shortened)
    }
}
