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

/// The paths of a collector's pages. Reading requires the admin token.
package enum CollectorPath {
    /// Accepts batches.
    package static let events = "/v1/events"
    /// The remote switches, a ``SignedSwitches``. Requires a write key.
    package static let switches = "/v1/switches"
    /// Stored lines as NDJSON, in the order in which they were stored: see ``LinesQuery``.
    package static let lines = "/v1/lines"
    /// The completeness of installs: `{"installs": [`` InstallCompleteness``…], "next": id}`; `next` is absent on the
    /// last page.
    package static let installs = "/v1/installs"
    /// Accepted batches, newest last: `{"batches": […]}`.
    package static let batches = "/v1/batches"
    /// Rejected lines with their bytes, as NDJSON.
    package static let rejects = "/v1/rejects"

    /// Removes a user's events: `{"user_id": …}`.
    package static let erasures = "/v1/erasures"
    /// Erases one of an install's own users: an ``InstallErasure``, answered with an ``ErasureReceipt``. Requires a write
    /// key and the install's secret. The caller percent-encodes the id.
    package static func erasures(ofInstall id: String) -> String { "\(installs)/\(id)/erasures" }
    /// Makes a backup: `{"name": …}`.
    package static let backups = "/v1/backups"
    /// Problems in the data folder.
    package static let findings = "/v1/findings"

    /// An ``InstallSummary``. The caller percent-encodes the id.
    package static func install(_ id: String) -> String { "\(installs)/\(id)" }
    /// `{"hashes": [`` RangeHash``…]}`, one for each range of consecutive numbers that arrived together.
    package static func hashes(ofInstall id: String) -> String { "\(installs)/\(id)/hashes" }
}

/// The parameters of `GET /v1/lines`, by name.
package enum LinesQuery {
    /// Continue after this cursor. Without it, start at the first line.
    package static let after = "after"
    /// At most this many lines.
    package static let limit = "limit"
    /// End the page after about this many bytes.
    package static let bytes = "bytes"
    /// Lines of this install.
    package static let install = "install"
    /// Lines of this `user_id`.
    package static let user = "user"
    /// Lines with this event name, such as `search`, or schema, such as `search/1-0-0`.
    package static let schema = "schema"
    /// Events between these times, inclusive, in seconds since 1970.
    package static let from = "from"
    package static let to = "to"
    /// `received`: each line in an object with the time when it was received.
    package static let envelope = "envelope"

    /// The response field with the cursor after the page's last line.
    package static let cursorField = "Tracking-Cursor"
    /// The response field that states whether more lines may be available now: `true` or `false`.
    package static let moreField = "Tracking-More"
}
