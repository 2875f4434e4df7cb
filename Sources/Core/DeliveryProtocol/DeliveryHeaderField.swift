/// The names of the fields in a request's header that belong to this protocol.
package enum DeliveryHeaderField {
    /// The batch's id.
    package static let idempotencyKey = "Idempotency-Key"
    /// SHA-256 of the body's bytes on the wire: https://www.rfc-editor.org/rfc/rfc9530
    package static let contentDigest = "Content-Digest"
    /// Which delivery of the batch this is, from 1.
    package static let attempt = "Tracking-Attempt"
    /// When the request was sent by the sender's clock, in seconds since 1970 with at most 6 decimals. Compared with the
    /// time of receipt it tells how far that clock is off.
    package static let sentAt = "Tracking-Sent-At"
    /// The media type of the body: a batch header, and the events' lines.
    package static let mediaType = "application/x-ndjson"
}
