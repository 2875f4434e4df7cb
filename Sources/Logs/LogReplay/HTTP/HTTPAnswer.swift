internal import DeliveryHTTP
internal import EventLog
internal import EventModel
package import Foundation

/// Interprets the status of an endpoint's response.
package struct HTTPAnswer {
    /// The limit on waits, in seconds.
    private static let longestWait = Int64(1) << 31

    private let status: Int
    /// The header as received: seconds, or a date (RFC 9110, section 10.2.3).
    private let retryAfter: String?

    package init(status: Int, retryAfter: String?) {
        self.status = status
        self.retryAfter = retryAfter
    }

    /// The outcome for a batch.
    ///
    /// 2xx: delivered; 408, 425, 429 and 5xx: retry; 413: split; others: rejected.
    package func sinkAnswer(name: String, events: Int, now: Date) -> SinkAnswer {
        let reason = SinkReason(status: status, "\(name) answered \(status)")
        switch status {
        case 200..<300: return .delivered(ReplayResult(kept: events))
        case 408, 425, 429, 500...: return .retry(after: wait(now: now), reason)
        case 413: return .tooLarge(reason)
        default: return .refused(reason)
        }
    }

    /// The requested wait; nil without one.
    package func wait(now: Date) -> Duration? {
        guard let text = retryAfter?.trimmingCharacters(in: .whitespaces) else { return nil }
        if let seconds = Int64(text), seconds >= 0 { return .seconds(min(seconds, Self.longestWait)) }
        let now = EventTime(microseconds: Int64(now.timeIntervalSince1970 * 1_000_000))
        return HTTPDate.time(text, now: now).map {
            max(.zero, min($0.duration(since: now), .seconds(Self.longestWait)))
        }
    }
}
