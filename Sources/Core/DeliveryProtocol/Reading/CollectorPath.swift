/// The paths of a collector's pages. Reading needs the admin token.
package enum CollectorPath {
    /// Takes batches.
    package static let events = "/v1/events"
    /// Stored lines as NDJSON, in the order in which they were stored: see ``LinesQuery``.
    package static let lines = "/v1/lines"
    /// How complete installs are: `{"installs": [`` InstallCompleteness``…], "next": id}`; `next` is absent on the last page.
    package static let installs = "/v1/installs"
    /// Accepted batches, newest last: `{"batches": […]}`.
    package static let batches = "/v1/batches"
    /// Rejected lines with their bytes, as NDJSON.
    package static let rejects = "/v1/rejects"

    /// Removes a user's events: `{"user_id": …}`.
    package static let erasures = "/v1/erasures"
    /// Makes a backup: `{"name": …}`.
    package static let backups = "/v1/backups"
    /// What is not as it should be in the data folder.
    package static let findings = "/v1/findings"

    /// An ``InstallSummary``. The id is percent-encoded by the caller.
    package static func install(_ id: String) -> String { "\(installs)/\(id)" }
    /// `{"hashes": [`` RangeHash``…]}`, one for each run of numbers that came together.
    package static func hashes(ofInstall id: String) -> String { "\(installs)/\(id)/hashes" }
}

/// The parameters of `GET /v1/lines`, by name.
package enum LinesQuery {
    /// Go on behind this cursor; from the first line if it is absent.
    package static let after = "after"
    /// At most this many lines.
    package static let limit = "limit"
    /// End the page at about this many bytes.
    package static let bytes = "bytes"
    /// Lines of this install.
    package static let install = "install"
    /// Lines of this `user_id`.
    package static let user = "user"
    /// Lines with this event name, such as `search`, or schema, such as `search/1-0-0`.
    package static let schema = "schema"
    /// Events not before and not after these times, in seconds since 1970.
    package static let from = "from"
    package static let to = "to"
    /// `received`: each line in an object that says when it was received.
    package static let envelope = "envelope"

    /// The response's field with the cursor behind the page's last line.
    package static let cursorField = "Tracking-Cursor"
    /// The response's field that says whether there may be more lines now: `true` or `false`.
    package static let moreField = "Tracking-More"
}
