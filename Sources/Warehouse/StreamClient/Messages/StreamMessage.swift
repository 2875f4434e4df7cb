package import DeliveryProtocol
package import EventModel
internal import Foundation
internal import JSONLines
internal import Primitives

/// A message of the stream: a batch that a collector accepted.
///
/// The payload is a JSON object on a line, followed by the accepted lines in the order of their numbers, each with a
/// line feed. The article StreamFormat in `SwiftTracking.docc` lists the members.
package struct StreamMessage: Equatable, Sendable {
    /// The maximum size of a payload in bytes. A batch that needs more is split. The default limit of a NATS server
    /// is 1 MiB.
    package static let maximumBytes = 900_000

    /// The collector's receipt of the batch.
    package var receipt: ReceiptName
    /// The batch's id, 32 hexadecimal digits; nil for an import.
    package var batchID: String?
    package var installID: String
    /// The SHA-256 of the install's secret, 32 bytes; empty for an import.
    package var secretHash: [UInt8]
    /// The numbers that the batch accounts for; nil for an import.
    package var seqs: ClosedRange<Int64>?
    package var receivedAt: EventTime
    /// The client's send time; nil if it sent none.
    package var sentAt: EventTime?
    /// Numbers without a line, in order.
    package var absent: [AbsentNumbers]
    /// The numbers of the lines, in order.
    package var numbers: [ClosedRange<Int64>]
    /// The numbers of lines that no schema validated.
    package var unvalidated: [ClosedRange<Int64>]
    /// The accepted lines, each followed by a line feed.
    package var text: [UInt8]

    /// Numbers without a line, and why.
    package struct AbsentNumbers: Equatable, Sendable {
        package var seqs: ClosedRange<Int64>
        package var fate: NumberFate
        /// More specific than the fate, such as the code of a rejection.
        package var reason: String

        package init(_ seqs: ClosedRange<Int64>, _ fate: NumberFate, reason: String? = nil) {
            self.seqs = seqs
            self.fate = fate
            self.reason = reason ?? fate.name
        }
    }

    package init(
        receipt: ReceiptName, batchID: String?, installID: String, secretHash: [UInt8] = [],
        seqs: ClosedRange<Int64>?, receivedAt: EventTime, sentAt: EventTime? = nil, absent: [AbsentNumbers] = [],
        numbers: [ClosedRange<Int64>] = [], unvalidated: [ClosedRange<Int64>] = [], text: [UInt8] = []
    ) {
        self.receipt = receipt
        self.batchID = batchID
        self.installID = installID
        self.secretHash = secretHash
        self.seqs = seqs
        self.receivedAt = receivedAt
        self.sentAt = sentAt
        self.absent = absent
        self.numbers = numbers
        self.unvalidated = unvalidated
        self.text = text
    }
}

extension StreamMessage {
    package var payload: [UInt8] { header + [UInt8(ascii: "\n")] + text }

    /// The payload's first line, without its line feed.
    var header: [UInt8] {
        var json = JSONWriter(capacity: 512)
        json.beginObject()
        json.key("v")
        json.integer(1)
        json.key("receipt")
        receipt.write(to: &json)
        json.key("received_at")
        json.seconds(microseconds: receivedAt.microseconds)
        if let sentAt {
            json.key("sent_at")
            json.seconds(microseconds: sentAt.microseconds)
        }
        writeContent(to: &json)
        json.endObject()
        return json.bytes
    }

    /// Writes the members that are the same whichever collector received the batch.
    private func writeContent(to json: inout JSONWriter) {
        json.key(EnvelopeMember.installID.name)
        json.string(installID)
        if let batchID {
            json.key("batch")
            json.string(batchID)
        }
        if !secretHash.isEmpty {
            json.key("secret_hash")
            json.string(secretHash.hexadecimal)
        }
        if let seqs {
            json.key("first")
            json.integer(seqs.lowerBound)
            json.key("last")
            json.integer(seqs.upperBound)
        }
        if !absent.isEmpty {
            json.key("absent")
            json.beginArray()
            for range in absent { range.write(to: &json) }
            json.endArray()
        }
        if !numbers.isEmpty {
            json.key("lines")
            json.writeRanges(numbers)
        }
        if !unvalidated.isEmpty {
            json.key("unvalidated")
            json.writeRanges(unvalidated)
        }
    }

    /// The message's id, by which the stream recognizes a message that is published again: the batch's id, and a digest
    /// of the content.
    ///
    /// The batch's id alone would not do: two collectors may accept different lines of one batch, because their schemas
    /// differ, and the stream compares ids, not payloads.
    package var id: String {
        var json = JSONWriter(capacity: 512)
        json.beginObject()
        writeContent(to: &json)
        json.endObject()
        let digest = SHA256.bytes(of: json.bytes + text)
        return (batchID ?? "import") + "-" + Array(digest.prefix(8)).hexadecimal
    }

    /// The number of lines.
    package var lineCount: Int64 { NumberRanges.count(numbers).value }

    /// Calls `body` with each line and its number.
    package func forEachLine(
        _ body: (_ seq: Int64, _ line: UnsafeRawBufferPointer) throws -> Void
    ) rethrows {
        try text.withUnsafeBytes { text in
            var start = 0
            for seq in numbers.joined() {
                let end = Self.lineEnd(in: text, from: start) ?? text.count
                try body(seq, UnsafeRawBufferPointer(rebasing: text[start..<end]))
                start = end + 1
            }
        }
    }

    /// The index of the first line feed; nil if there is none.
    static func lineEnd(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard start < text.count, let base = text.baseAddress else { return nil }
        return memchr(base + start, 0x0A, text.count - start).map { UnsafeRawPointer($0) - base }
    }

    private static func lineFeeds(in text: [UInt8]) -> Int64 {
        text.withUnsafeBytes { text in
            var count: Int64 = 0
            var start = 0
            while let end = lineEnd(in: text, from: start) {
                count += 1
                start = end + 1
            }
            return count
        }
    }

    /// Reads a payload.
    ///
    /// - Throws: ``StreamMessageError``.
    package init(payload: [UInt8]) throws(StreamMessageError) {
        guard let end = payload.firstIndex(of: UInt8(ascii: "\n")) else {
            throw StreamMessageError(reason: "the payload has no header line")
        }
        let value: JSONValue
        do { value = try JSONParser.parse(payload[..<end]) } catch {
            throw StreamMessageError(reason: "the header is not JSON: \(error)")
        }
        guard value["v"]?.integerValue == 1 else {
            throw StreamMessageError(reason: "the header has an unknown version: update this program")
        }
        do throws(BatchHeaderError) { self = try Self(value, text: Array(payload[(end + 1)...])) } catch {
            throw StreamMessageError(reason: "the header is invalid: \(error)")
        }
    }

    private init(_ value: JSONValue, text: [UInt8]) throws(BatchHeaderError) {
        guard let receipt = value["receipt"] else {
            throw BatchHeaderError(pointer: "/receipt", reason: "is missing")
        }
        var absent: [AbsentNumbers] = []
        for (index, range) in try value.elements("absent", at: "").enumerated() {
            absent.append(try AbsentNumbers(range, at: "/absent/\(index)"))
        }
        var secretHash: [UInt8] = []
        if let text = value["secret_hash"]?.stringValue {
            guard let bytes = [UInt8](hexadecimal: text) else {
                throw BatchHeaderError(pointer: "/secret_hash", reason: "must be hexadecimal digits")
            }
            secretHash = bytes
        }
        self.init(
            receipt: try ReceiptName(receipt, at: "/receipt"), batchID: value["batch"]?.stringValue,
            installID: try value.text(EnvelopeMember.installID.rawValue, at: ""), secretHash: secretHash,
            seqs: value["first"] == nil ? nil : try value.seqs(at: ""),
            receivedAt: try value.requiredTime("received_at", at: ""), sentAt: value.time("sent_at"),
            absent: absent, numbers: try value.ranges("lines"), unvalidated: try value.ranges("unvalidated"),
            text: text)
        guard lineCount == Self.lineFeeds(in: text),
            text.isEmpty || text.last == UInt8(ascii: "\n")
        else { throw BatchHeaderError(pointer: "/lines", reason: "must have a number for each line") }
    }
}

extension StreamMessage.AbsentNumbers {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("first")
        json.integer(seqs.lowerBound)
        json.key("last")
        json.integer(seqs.upperBound)
        json.key("fate")
        json.string(fate.name)
        if reason != fate.name {
            json.key("reason")
            json.string(reason)
        }
        json.endObject()
    }

    fileprivate init(_ value: JSONValue, at pointer: String) throws(BatchHeaderError) {
        guard let fate = NumberFate(name: try value.text("fate", at: pointer)) else {
            throw BatchHeaderError(pointer: "\(pointer)/fate", reason: "is unknown: update this program")
        }
        self.init(try value.seqs(at: pointer), fate, reason: value["reason"]?.stringValue)
    }
}

/// A payload that is not a message of a collector.
package struct StreamMessageError: Error, Equatable, CustomStringConvertible {
    package let reason: String

    package init(reason: String) { self.reason = reason }

    package var description: String { reason }
}
