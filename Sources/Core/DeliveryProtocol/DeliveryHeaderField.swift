/// The names of the header fields of this protocol.
package enum DeliveryHeaderField {
    /// The batch's id.
    package static let idempotencyKey = "Idempotency-Key"
    /// SHA-256 of the body's bytes on the wire: https://www.rfc-editor.org/rfc/rfc9530
    package static let contentDigest = "Content-Digest"
    /// The number of this delivery attempt of the batch, from 1.
    package static let attempt = "Tracking-Attempt"
    /// The sender's time when the request was sent, in seconds since 1970 with at most 6 decimals. The difference to
    /// the time of receipt shows how far the sender's clock is off.
    package static let sentAt = "Tracking-Sent-At"
    /// The media type of the body: a batch header, and the events' lines.
    package static let mediaType = "application/x-ndjson"
}
