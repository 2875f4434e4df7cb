package import EventModel

/// The wait that a server requests: https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
package enum RetryAfter {
    /// Longer waits are reduced to this: a misconfigured proxy must not stop deliveries for good.
    package static let longest = Duration.seconds(86_400)

    /// The wait that a response requests; nil without one, or if it is over already.
    ///
    /// A date is measured from the response's own `Date`, so the device's clock does not matter.
    ///
    /// - Parameter now: The device's time, for a response without `Date`.
    package static func wait(_ response: DeliveryResponse, now: EventTime) -> Duration? {
        guard let text = response["Retry-After"] else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            return limited(.seconds(Int64(text) ?? .max))
        }
        let sent = response["Date"].flatMap { HTTPDate.time($0, now: now) } ?? now
        return HTTPDate.time(text, now: now).flatMap { limited($0.duration(since: sent)) }
    }

    /// A wait within the limits; nil if it is not positive.
    package static func limited(_ wait: Duration) -> Duration? { wait > .zero ? min(wait, longest) : nil }
}
