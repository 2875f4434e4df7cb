package import EventModel

/// How long a server asks to wait: https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
package enum RetryAfter {
    /// A longer wait is cut to this: a proxy's mistake must not stop deliveries for good.
    package static let longest = Duration.seconds(86_400)

    /// The wait that a response asks for; nil if it asks for none, or for one that is over.
    ///
    /// A date counts from the response's own `Date`, so that a wrong clock of the device does not matter.
    ///
    /// - Parameter now: The device's time, for a response without a `Date`.
    package static func wait(_ response: DeliveryResponse, now: EventTime) -> Duration? {
        guard let text = response["Retry-After"] else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            return limited(.seconds(Int64(text) ?? .max))
        }
        let sent = response["Date"].flatMap { HTTPDate.time($0, now: now) } ?? now
        return HTTPDate.time(text, now: now).flatMap { limited($0.duration(since: sent)) }
    }

    /// A wait within the limits; nil for none.
    package static func limited(_ wait: Duration) -> Duration? { wait > .zero ? min(wait, longest) : nil }
}
