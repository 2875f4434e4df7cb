internal import EventModel
package import JSONLines

/// The body of `POST /v1/installs/{install_id}/erasures`: an install erases one of its users.
///
/// A retry has the same ``id`` and the same content. Numbers that do not fit in one request go into several, each with
/// a new id.
package struct InstallErasure: Equatable, Sendable {
    /// The request's id, 32 hexadecimal digits; also the `Idempotency-Key`.
    package var id: String
    package var installID: String
    /// The install's secret, as in its batches.
    package var secret: String
    /// The `user_id` of the events to erase.
    package var userID: String
    /// The highest number that the install had given out when its user asked for the erasure: later events of the user
    /// are stored. nil erases everything that the collector knows of, for an install that has ended.
    package var through: Int64?
    /// Numbers of the user that the log knows, in order. They need not be at the collector yet.
    package var numbers: [ClosedRange<Int64>]

    /// The maximum number of ranges in a request.
    package static let maximumRanges = 10_000
    /// The maximum length of a user id, in Unicode scalars; the limit for events.
    package static let maximumUserLength = 128

    package init(
        id: String, installID: String, secret: String, userID: String, through: Int64?,
        numbers: [ClosedRange<Int64>] = []
    ) {
        self.id = id
        self.installID = installID
        self.secret = secret
        self.userID = userID
        self.through = through
        self.numbers = numbers
    }
}

extension InstallErasure: JSONLineWritable {
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("id")
        json.string(id)
        json.key("secret")
        json.string(secret)
        json.key("user_id")
        json.string(userID)
        if let through {
            json.key("through")
            json.integer(through)
        }
        json.key("numbers")
        json.writeRanges(numbers)
        json.endObject()
    }

    /// Reads the body of a request. Does not check the number of ranges.
    ///
    /// - Parameter installID: The install in the path.
    /// - Throws: ``BatchHeaderError``.
    package init(_ value: JSONValue, installID: String) throws(BatchHeaderError) {
        guard case .object = value else { throw BatchHeaderError(pointer: "", reason: "must be an object") }
        self.installID = installID
        id = try value.digits("id", at: "")
        secret = try value.digits("secret", at: "")
        userID = try value.text("user_id", at: "")
        guard !userID.isEmpty, userID.unicodeScalars.count <= Self.maximumUserLength else {
            throw BatchHeaderError(
                pointer: "/user_id", reason: "must have 1 to \(Self.maximumUserLength) characters, the limit for events"
            )
        }
        through = value["through"] == nil ? nil : try value.whole("through", at: "", from: 1)
        numbers = try value.ranges("numbers")
        guard numbers.last?.upperBound ?? 0 <= through ?? EventRecord.highestSeq else {
            throw BatchHeaderError(
                pointer: "/numbers/\(numbers.count - 1)",
                reason: through == nil ? "must not exceed \(EventRecord.highestSeq)" : "must not exceed through")
        }
    }
}

/// The body of a 200 to an ``InstallErasure``, sent when the erasure is synced to the disk. A retry gets the same one.
package struct ErasureReceipt: Equatable, Sendable {
    /// The id of this receipt. Batches with a higher number were received after the erasure.
    package var name: ReceiptName
    package var installID: String
    /// ``InstallErasure/id``.
    package var id: String
    /// Events of the user with this number or a lower one are not stored any more.
    package var through: Int64
    /// The numbers that the request marked: ``events``, and named numbers without a stored event.
    package var marked: Int64
    /// Stored events that nothing returns any more, and whose bytes the collector removes within the next hours.
    package var events: Int64
    /// Named numbers that keep their event, because it is another user's, or because its user is no longer known.
    package var kept: Int64

    private static let durability = "fsync"

    package init(
        name: ReceiptName, installID: String, id: String, through: Int64, marked: Int64, events: Int64, kept: Int64
    ) {
        self.name = name
        self.installID = installID
        self.id = id
        self.through = through
        self.marked = marked
        self.events = events
        self.kept = kept
    }
}

extension ErasureReceipt: JSONLineWritable {
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("receipt")
        name.write(to: &json)
        json.key(EnvelopeMember.installID.name)
        json.string(installID)
        json.key("erasure")
        json.string(id)
        json.key("durability")
        json.string(Self.durability)
        for (name, count) in [("through", through), ("marked", marked), ("events", events), ("kept", kept)] {
            json.key(name)
            json.integer(count)
        }
        json.endObject()
    }

    /// Reads the body of a 200.
    ///
    /// - Throws: ``BatchHeaderError`` if it is not a receipt of an erasure.
    package init(_ value: JSONValue) throws(BatchHeaderError) {
        guard let name = value["receipt"] else {
            throw BatchHeaderError(pointer: "/receipt", reason: "is missing: this is not a receipt")
        }
        self.name = try ReceiptName(name, at: "/receipt")
        installID = try value.text(EnvelopeMember.installID.rawValue, at: "")
        id = try value.digits("erasure", at: "")
        guard try value.text("durability", at: "") == Self.durability else {
            throw BatchHeaderError(pointer: "/durability", reason: "is unknown: update this program")
        }
        through = try value.whole("through", at: "", from: 0)
        marked = try value.whole("marked", at: "", from: 0)
        events = try value.whole("events", at: "", from: 0)
        kept = try value.whole("kept", at: "", from: 0)
    }
}
