package import EventModel
package import JSONLines

/// The first line of a request to `POST /v1/events`: the install, and the numbers that the following lines account for.
///
/// A retry has the same id, range, missing numbers and lines. The secret, the ledger and the last receipt may differ
/// between attempts.
package struct BatchHeader: Equatable, Sendable {
    /// The batch's id, 32 hexadecimal digits; also the `Idempotency-Key`.
    package var id: String
    package var installID: String
    /// The install's secret, 32 hexadecimal digits. The collector binds the install to the secret of the first batch,
    /// and stores the secret's SHA-256.
    package var secret: String
    /// The numbers that the batch accounts for.
    package var seqs: ClosedRange<Int64>
    /// Numbers in ``seqs`` without a line, in order, with the reason.
    package var missing: [MissingRange]
    /// Rows of the log's ledger that changed since the last receipt.
    package var ledger: [LedgerRow]
    /// The sink's last receipt; nil before the first.
    package var receipt: ReceiptName?

    /// Numbers without a line in the batch.
    package struct MissingRange: Equatable, Sendable {
        package var seqs: ClosedRange<Int64>
        package var reason: MissingReason

        package init(_ seqs: ClosedRange<Int64>, _ reason: MissingReason) {
            self.seqs = seqs
            self.reason = reason
        }
    }

    /// A row of an install's ledger, identified by reason and first number. A row with a higher count or a later last
    /// number replaces the previous one.
    package struct LedgerRow: Equatable, Sendable {
        /// The raw value of a `DropReason`.
        package var reason: String
        /// The numbers; nil for events that were dropped before they got one.
        package var seqs: ClosedRange<Int64>?
        /// The number of events.
        package var count: Int64
        /// The times of the first and the last drop without a number; nil if unknown.
        package var times: ClosedRange<EventTime>?

        package init(reason: String, seqs: ClosedRange<Int64>?, count: Int64, times: ClosedRange<EventTime>? = nil) {
            self.reason = reason
            self.seqs = seqs
            self.count = count
            self.times = times
        }
    }

    package init(
        id: String, installID: String, secret: String, seqs: ClosedRange<Int64>, missing: [MissingRange] = [],
        ledger: [LedgerRow] = [], receipt: ReceiptName? = nil
    ) {
        self.id = id
        self.installID = installID
        self.secret = secret
        self.seqs = seqs
        self.missing = missing
        self.ledger = ledger
        self.receipt = receipt
    }
}

/// The reason why a number has no event. Precedence: see ``NumberFate``.
package enum MissingReason: String, CaseIterable, Sendable {
    /// Removed because its user was erased.
    case erased
    /// Removed because its user has opted out.
    case optedOut = "opted-out"
    /// Permanently rejected, by the collector or by a rule of an earlier consumer.
    case refused
    /// Lost intentionally or by an error, and counted in the ledger.
    case dropped
    /// Delivered in an earlier batch.
    case deliveredEarlier = "delivered-earlier"
    /// Waiting for its user's consent. It may be in a later batch.
    case held
    /// Part of a generation that ended with a fork.
    case forked
}

/// Identifies a receipt of a collector.
package struct ReceiptName: Hashable, Sendable {
    /// The collector's id.
    package var collector: String
    /// Increases with each receipt of this collector.
    package var number: Int64

    package init(collector: String, number: Int64) {
        self.collector = collector
        self.number = number
    }
}

/// An invalid batch header.
package struct BatchHeaderError: Error, Equatable, CustomStringConvertible {
    /// The member, as a JSON pointer.
    package let pointer: String
    /// What is wrong with the member.
    package let reason: String

    package init(pointer: String, reason: String) {
        self.pointer = pointer
        self.reason = reason
    }

    package var description: String { "\(pointer): \(reason)" }
}

extension BatchHeader: JSONLineWritable {
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("batch")
        json.beginObject()
        json.key("id")
        json.string(id)
        json.key(EnvelopeMember.installID.name)
        json.string(installID)
        json.key("secret")
        json.string(secret)
        json.writeRange(seqs)
        if !missing.isEmpty {
            json.key("missing")
            json.beginArray()
            for range in missing {
                json.beginObject()
                json.writeRange(range.seqs)
                json.key("reason")
                json.string(range.reason.rawValue)
                json.endObject()
            }
            json.endArray()
        }
        if !ledger.isEmpty {
            json.key("ledger")
            json.beginArray()
            for row in ledger { row.write(to: &json) }
            json.endArray()
        }
        if let receipt {
            json.key("receipt")
            receipt.write(to: &json)
        }
        json.endObject()
        json.endObject()
    }

    /// Reads the first line of a request.
    ///
    /// - Returns: nil if the line is JSON but not a batch header: the lines are an import.
    /// - Throws: ``BatchHeaderError``.
    package init?(_ line: JSONValue) throws(BatchHeaderError) {
        guard let batch = line["batch"] else { return nil }
        guard case .object = batch else { throw BatchHeaderError(pointer: "/batch", reason: "must be an object") }
        id = try batch.digits("id", at: "/batch")
        installID = try batch.text(EnvelopeMember.installID.rawValue, at: "/batch")
        guard !installID.isEmpty, installID.utf8.count <= 128 else {
            throw BatchHeaderError(pointer: "/batch/install_id", reason: "must have 1 to 128 bytes")
        }
        secret = try batch.digits("secret", at: "/batch")
        seqs = try batch.seqs(at: "/batch")
        var missing: [MissingRange] = []
        for (index, range) in try batch.elements("missing", at: "/batch").enumerated() {
            let pointer = "/batch/missing/\(index)"
            let seqs = try range.seqs(at: pointer)
            guard seqs.lowerBound >= max(self.seqs.lowerBound, (missing.last?.seqs.upperBound ?? 0) + 1),
                seqs.upperBound <= self.seqs.upperBound
            else { throw BatchHeaderError(pointer: pointer, reason: "must be in the batch's range and in order") }
            guard let reason = MissingReason(rawValue: try range.text("reason", at: pointer)) else {
                throw BatchHeaderError(
                    pointer: "\(pointer)/reason",
                    reason: "must be one of \(MissingReason.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            missing.append(MissingRange(seqs, reason))
        }
        self.missing = missing
        var ledger: [LedgerRow] = []
        for (index, row) in try batch.elements("ledger", at: "/batch").enumerated() {
            ledger.append(try LedgerRow(row, at: "/batch/ledger/\(index)"))
        }
        self.ledger = ledger
        receipt = nil
        if let value = batch["receipt"] { receipt = try ReceiptName(value, at: "/batch/receipt") }
    }
}

extension BatchHeader.LedgerRow {
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("reason")
        json.string(reason)
        json.key("count")
        json.integer(count)
        if let seqs { json.writeRange(seqs) }
        if let times {
            json.key("first_time")
            json.seconds(microseconds: times.lowerBound.microseconds)
            json.key("last_time")
            json.seconds(microseconds: times.upperBound.microseconds)
        }
        json.endObject()
    }

    package init(_ value: JSONValue, at pointer: String) throws(BatchHeaderError) {
        reason = try value.text("reason", at: pointer)
        guard !reason.isEmpty, reason.utf8.count <= 64 else {
            throw BatchHeaderError(pointer: "\(pointer)/reason", reason: "must have 1 to 64 bytes")
        }
        count = try value.whole("count", at: pointer, from: 0)
        seqs = value["first"] == nil ? nil : try value.seqs(at: pointer)
        times = nil
        if let first = value.time("first_time"), let last = value.time("last_time"), first <= last {
            times = first...last
        }
    }
}

extension ReceiptName {
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("collector")
        json.string(collector)
        json.key("number")
        json.integer(number)
        json.endObject()
    }

    package init(_ value: JSONValue, at pointer: String) throws(BatchHeaderError) {
        collector = try value.text("collector", at: pointer)
        number = try value.whole("number", at: pointer, from: 0)
    }
}

extension JSONWriter {
    mutating func writeRange(_ seqs: ClosedRange<Int64>) {
        key("first")
        integer(seqs.lowerBound)
        key("last")
        integer(seqs.upperBound)
    }

    package mutating func writeRanges(_ ranges: [ClosedRange<Int64>]) {
        beginArray()
        for range in ranges {
            beginArray()
            integer(range.lowerBound)
            integer(range.upperBound)
            endArray()
        }
        endArray()
    }
}

extension JSONValue {
    package func text(_ name: String, at pointer: String) throws(BatchHeaderError) -> String {
        guard let text = self[name]?.stringValue else {
            throw BatchHeaderError(pointer: "\(pointer)/\(name)", reason: "must be a string")
        }
        return text
    }

    func digits(_ name: String, at pointer: String) throws(BatchHeaderError) -> String {
        let text = try text(name, at: pointer)
        let isHexadecimal = text.utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
        }
        guard text.utf8.count == 32, isHexadecimal else {
            throw BatchHeaderError(
                pointer: "\(pointer)/\(name)", reason: "must be 32 hexadecimal digits in lower case")
        }
        return text
    }

    package func whole(_ name: String, at pointer: String, from least: Int64) throws(BatchHeaderError) -> Int64 {
        guard let value = self[name]?.integerValue, (least...EventRecord.highestSeq).contains(value) else {
            throw BatchHeaderError(
                pointer: "\(pointer)/\(name)",
                reason: "must be a whole number from \(least) to \(EventRecord.highestSeq)")
        }
        return value
    }

    package func seqs(at pointer: String) throws(BatchHeaderError) -> ClosedRange<Int64> {
        let first = try whole("first", at: pointer, from: 1)
        let last = try whole("last", at: pointer, from: 1)
        guard first <= last else {
            throw BatchHeaderError(pointer: "\(pointer)/last", reason: "must not be before first")
        }
        return first...last
    }

    package func elements(_ name: String, at pointer: String) throws(BatchHeaderError) -> [JSONValue] {
        guard let value = self[name] else { return [] }
        guard case .array(let elements) = value else {
            throw BatchHeaderError(pointer: "\(pointer)/\(name)", reason: "must be an array")
        }
        return elements
    }

    package func time(_ name: String) -> EventTime? {
        switch self[name] {
        case .integer(let seconds): EventTime(clampedSeconds: seconds)
        case .number(let seconds): Int64(exactly: (seconds * 1_000_000).rounded()).map { EventTime(microseconds: $0) }
        default: nil
        }
    }
}
