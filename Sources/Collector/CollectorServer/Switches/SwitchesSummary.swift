package import CollectorStore
internal import DeliveryProtocol
package import EventModel

/// What a document with remote switches does, for people.
package struct SwitchesSummary: Equatable, Sendable {
    package let lines: [String]
    /// Whether the document has expired.
    package let isExpired: Bool

    /// Reads and validates a document.
    ///
    /// - Throws: ``StoreError``: `cannot-open`, `damaged`.
    package init(path: String, now: EventTime) throws(StoreError) {
        let document = try SwitchesKeeper.read(path).document
        isExpired = document.isExpired(at: now)
        var lines = [
            "version \(document.version)",
            "\(isExpired ? "expired" : "expires") \(document.expiry)",
        ]
        if !document.isEnabled { lines.append("all events are off") }
        if !document.off.isEmpty { lines.append("off: \(document.off.sorted().joined(separator: ", "))") }
        if let flush = document.flush {
            var parts: [String] = []
            if let count = flush.eventCount { parts.append("at \(count) events") }
            if let seconds = flush.interval { parts.append("every \(seconds) s") }
            if let onBackground = flush.onBackground {
                parts.append(onBackground ? "on background" : "not on background")
            }
            if !parts.isEmpty { lines.append("flush: \(parts.joined(separator: ", "))") }
        }
        if let limit = document.sendingLimit { lines.append("at most \(limit) events per second") }
        self.lines = lines
    }
}
