package import EventModel
internal import Primitives

/// The wait that a server requests: https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
package enum RetryAfter {
    /// Longer waits are reduced to this: a misconfigured proxy must not stop deliveries for good.
    package static let longest = Duration.seconds(86_400)
    /// The longest wait until a date if no server's clock is known: the device's may be wrong.
    static let longestByDevice = Duration.seconds(900)

    /// The wait that a response requests; nil without one, or if it is over already.
    ///
    /// A date is measured from the server's clock, so the device's does not matter.
    package static func wait(
        _ response: DeliveryResponse, at now: ClockReading, clock: ServerClock = ServerClock()
    ) -> Duration? {
        guard let text = response["Retry-After"] else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            return limited(.seconds(Int64(text) ?? .max))
        }
        guard let end = HTTPDate.time(text, now: now.time) else { return nil }
        if let servers = response.date(now: now.time) ?? clock.time(at: now.sinceBoot) {
            return limited(end.duration(since: servers))
        }
        return limited(end.duration(since: now.time)).map { min($0, longestByDevice) }
    }

    /// A wait within the limits; nil if it is not positive.
    package static func limited(_ wait: Duration) -> Duration? { wait > .zero ? min(wait, longest) : nil }
}

/// A server's clock, as its last `Date` has shown it. Thread-safe.
package final class ServerClock: Sendable {
    private let last = Locked<(date: EventTime, seenAt: BootTime)?>(nil)

    package init() {}

    /// Records the `Date` of a response.
    func note(_ response: DeliveryResponse, at now: ClockReading) {
        guard let date = response.date(now: now.time) else { return }
        last.withLock { $0 = (date, now.sinceBoot) }
    }

    /// The server's time; nil if it is unknown.
    func time(at now: BootTime) -> EventTime? {
        last.withLock { last in
            guard let last, let passed = now.duration(since: last.seenAt) else { return nil }
            return last.date.advanced(by: passed)
        }
    }
}

extension DeliveryResponse {
    fileprivate func date(now: EventTime) -> EventTime? { self["Date"].flatMap { HTTPDate.time($0, now: now) } }
}
