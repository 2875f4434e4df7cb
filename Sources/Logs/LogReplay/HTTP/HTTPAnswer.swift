internal import EventLog
internal import EventModel
package import Foundation

/// What an endpoint answered.
package struct HTTPAnswer {
    private let status: Int
    /// The header as it was sent: seconds, or a date (RFC 9110, 10.2.3).
    private let retryAfter: String?

    package init(status: Int, retryAfter: String?) {
        self.status = status
        self.retryAfter = retryAfter
    }

    /// What that means for a batch.
    ///
    /// 2xx is delivered; 408, 425, 429 and 5xx come again later; 413 wants less at a time; all others will never be
    /// taken.
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
    private func wait(now: Date) -> Duration? {
        guard let text = retryAfter?.trimmingCharacters(in: .whitespaces) else { return nil }
        if let seconds = Int64(text), seconds >= 0 { return .seconds(min(seconds, 1 << 31)) }
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        return format.date(from: text).map { .seconds(max(0, min($0.timeIntervalSince(now), 0x1p31))) }
    }
}
