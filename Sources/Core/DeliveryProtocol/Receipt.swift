internal import EventModel
package import JSONLines

/// The body of a 200 from `POST /v1/events`: the numbers that the collector has synced to its disk. Numbers that the
/// receipt does not list were not accepted.
package struct Receipt: Equatable, Sendable {
    /// The id of this receipt.
    package var name: ReceiptName
    package var installID: String
    /// The batch's id; nil for an import.
    package var batchID: String?
    /// What the collector has checked about the stored events.
    package var level: Level
    /// The batch's numbers that the collector has now, in order, ``duplicates`` and ``unverified`` included.
    package var stored: [ClosedRange<Int64>]
    /// Numbers that the collector already had, with the same bytes.
    package var duplicates: [ClosedRange<Int64>]
    /// Numbers that the collector already had, and whose bytes are no longer available for a comparison.
    package var unverified: [ClosedRange<Int64>]
    /// Numbers whose event was erased at the collector. They are not stored again.
    package var erased: [ClosedRange<Int64>]
    /// Lines that were permanently rejected. Their exact bytes are kept.
    package var rejected: [Rejection]
    /// Numbers of the install, up to the highest announced one, that are neither stored nor explained. Send or explain
    /// them. The JSON has the first ``maximumMissing`` ranges, and states whether there are more.
    package var missing: [ClosedRange<Int64>]
    /// The highest number of the install that any batch has accounted for.
    package var highest: Int64

    /// The maximum number of ranges in `missing`, the lowest first.
    package static let maximumMissing = 100

    /// The value of `durability`: each stored event is synced.
    private static let durability = "fsync"

    package enum Level: String, Sendable {
        /// Written, and synced by fdatasync.
        case synced
        /// Synced, and acknowledged by a majority of the replicas of the stream behind the collectors.
        case replicated
    }

    /// A line that was permanently rejected.
    package struct Rejection: Equatable, Sendable {
        /// The event's number; nil if it is missing or unreadable.
        package var seq: Int64?
        /// The event's id, if readable.
        package var id: String?
        /// The line number in the request's body, from 1. The batch header is line 1.
        package var line: Int
        /// `syntax`, `envelope`, `schema`, `unknown-schema`, `too-large`, `wrong-install`, `out-of-range` or `repeated`.
        package var code: String
        /// What is wrong, in a sentence of at most 200 bytes.
        package var message: String
        /// The location in the event, as a JSON pointer; empty for the whole line.
        package var instancePath: String
        /// The location in the schema, as a JSON pointer; empty if no schema was used.
        package var schemaPath: String

        package init(
            seq: Int64?, id: String?, line: Int, code: String, message: String, instancePath: String = "",
            schemaPath: String = ""
        ) {
            self.seq = seq
            self.id = id
            self.line = line
            self.code = code
            self.message = Self.limited(message)
            self.instancePath = instancePath
            self.schemaPath = schemaPath
        }

        /// The message, shortened so that it has at most 200 bytes with a note at its end.
        package static func limited(_ message: String, note: String = "") -> String {
            let most = 200 - note.utf8.count
            guard message.utf8.count > most else { return message + note }
            // A truncated character becomes a replacement character of three bytes, like the ellipsis.
            return String(decoding: message.utf8.prefix(most - 6), as: UTF8.self) + "…" + note
        }
    }

    package init(
        name: ReceiptName, installID: String, batchID: String?, level: Level = .synced,
        stored: [ClosedRange<Int64>], duplicates: [ClosedRange<Int64>] = [], unverified: [ClosedRange<Int64>] = [],
        erased: [ClosedRange<Int64>] = [], rejected: [Rejection] = [], missing: [ClosedRange<Int64>] = [],
        highest: Int64
    ) {
        self.name = name
        self.installID = installID
        self.batchID = batchID
        self.level = level
        self.stored = stored
        self.duplicates = duplicates
        self.unverified = unverified
        self.erased = erased
        self.rejected = rejected
        self.missing = missing
        self.highest = highest
    }
}

extension Receipt: JSONLineWritable {
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("receipt")
        name.write(to: &json)
        json.key(EnvelopeMember.installID.name)
        json.string(installID)
        if let batchID {
            json.key("batch")
            json.string(batchID)
        }
        json.key("durability")
        json.string(Self.durability)
        json.key("level")
        json.string(level.rawValue)
        json.key("stored")
        json.writeRanges(stored)
        if !duplicates.isEmpty {
            json.key("duplicates")
            json.writeRanges(duplicates)
        }
        if !unverified.isEmpty {
            json.key("duplicates_unverified")
            json.writeRanges(unverified)
        }
        if !erased.isEmpty {
            json.key("erased")
            json.writeRanges(erased)
        }
        json.key("rejected")
        json.beginArray()
        for rejection in rejected { rejection.write(to: &json) }
        json.endArray()
        json.key("missing")
        json.writeRanges(Array(missing.prefix(Self.maximumMissing)))
        if missing.count > Self.maximumMissing {
            json.key("has_more_missing")
            json.bool(true)
        }
        json.key("highest")
        json.integer(highest)
        json.endObject()
    }

    /// Reads the body of a 200.
    ///
    /// - Throws: ``BatchHeaderError`` if it is not a receipt.
    package init(_ value: JSONValue) throws(BatchHeaderError) {
        guard let name = value["receipt"] else {
            throw BatchHeaderError(pointer: "/receipt", reason: "is missing: this is not a receipt")
        }
        self.name = try ReceiptName(name, at: "/receipt")
        installID = try value.text(EnvelopeMember.installID.rawValue, at: "")
        batchID = value["batch"]?.stringValue
        guard try value.text("durability", at: "") == Self.durability else {
            throw BatchHeaderError(pointer: "/durability", reason: "is unknown: update this program")
        }
        // A level that a later version adds is more than this one.
        level = value["level"]?.stringValue.flatMap { Level(rawValue: $0) } ?? .synced
        stored = try value.ranges("stored")
        duplicates = try value.ranges("duplicates")
        unverified = try value.ranges("duplicates_unverified")
        erased = try value.ranges("erased")
        missing = try value.ranges("missing")
        highest = try value.whole("highest", at: "", from: 0)
        var rejected: [Rejection] = []
        for (index, rejection) in try value.elements("rejected", at: "").enumerated() {
            rejected.append(try Rejection(rejection, at: "/rejected/\(index)"))
        }
        self.rejected = rejected
    }
}

extension Receipt.Rejection {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        if let seq {
            json.key("seq")
            json.integer(seq)
        }
        if let id {
            json.key("id")
            json.string(id)
        }
        json.key("line")
        json.integer(line)
        json.key("code")
        json.string(code)
        json.key("message")
        json.string(message)
        json.key("instance_path")
        json.string(instancePath)
        json.key("schema_path")
        json.string(schemaPath)
        json.endObject()
    }

    init(_ value: JSONValue, at pointer: String) throws(BatchHeaderError) {
        seq = value["seq"] == nil ? nil : try value.whole("seq", at: pointer, from: 1)
        id = value["id"]?.stringValue
        line = Int(try value.whole("line", at: pointer, from: 1))
        code = try value.text("code", at: pointer)
        message = try value.text("message", at: pointer)
        instancePath = try value.text("instance_path", at: pointer)
        schemaPath = try value.text("schema_path", at: pointer)
    }
}

extension JSONValue {
    package func ranges(_ name: String) throws(BatchHeaderError) -> [ClosedRange<Int64>] {
        var ranges: [ClosedRange<Int64>] = []
        for (index, element) in try elements(name, at: "").enumerated() {
            guard case .array(let bounds) = element, bounds.count == 2, let first = bounds[0].integerValue,
                let last = bounds[1].integerValue, first <= last, (ranges.last?.upperBound ?? 0) < first
            else {
                throw BatchHeaderError(
                    pointer: "/\(name)/\(index)",
                    reason: "must be two numbers in ascending order, above the previous range")
            }
            ranges.append(first...last)
        }
        return ranges
    }
}
