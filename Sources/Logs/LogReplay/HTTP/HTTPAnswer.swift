internal import DeliveryHTTP
internal import EventLog
internal import EventModel
package import Foundation

/// What the status of an endpoint's answer means.
package struct HTTPAnswer {
    /// A longer wait is cut to this.
    private static let longestWait = Int64(1) << 31

    private let status: Int
    /// The field as it was sent: seconds, or a date (RFC 9110, 10.2.3).
    private let retryAfter: String?

    package init(status: Int, retryAfter: String?) {
        self.status = status
        self.retryAfter = retryAfter
    }

    /// What that means for a batch.
    ///
    /// 2xx is delivered; 408, 425, 429 and 5xx are retried; 413 asks for smaller batches; all others reject the batch.
    package func sinkAnswer(name: String, events: Int, now: Date) -> SinkAnswer {
        let reason = SinkReason(status: status, "\(name) answered \(status)")
        switch status {
        case 200..<300: return .delivered(ReplayResult(kept: events))
        case 408, 425, 429, 500...: return .retry(after: wait(now: now), reason)
        case 413: return .tooLarge(reason)
        default: return .refused(reason)
        }
    }

    /// How long it asks to wait; nil if it does not say.
    package func wait(now: Date) -> Duration? {
        guard let text = retryAfter?.trimmingCharacters(in: .whitespaces) else { return nil }
        if let seconds = Int64(text), seconds >= 0 { return .seconds(min(seconds, Self.longestWait)) }
        let now = EventTime(microseconds: Int64(now.timeIntervalSince1970 * 1_000_000))
        return HTTPDate.time(text, now: now).map {
            max(.zero, min($0.duration(since: now), .seconds(Self.longestWait)))
        }
    }
}
