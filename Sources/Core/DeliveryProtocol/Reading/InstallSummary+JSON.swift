package import EventModel
internal import Foundation
package import JSONLines

extension InstallSummary: JSONLineWritable {
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key(EnvelopeMember.installID.name)
        json.string(installID)
        json.key("first_seen")
        json.seconds(microseconds: firstSeen.microseconds)
        json.key("last_seen")
        json.seconds(microseconds: lastSeen.microseconds)
        json.key("highest")
        json.integer(highest)
        json.key("numbers")
        json.beginArray()
        for range in numbers {
            json.beginObject()
            json.writeRange(range.seqs)
            json.key("fate")
            json.string(range.fate.name)
            json.endObject()
        }
        json.endArray()
        json.key("missing")
        json.writeRanges(missing)
        json.key("ledger")
        json.beginArray()
        for row in ledger { row.write(to: &json) }
        json.endArray()
        json.key("forks")
        json.beginArray()
        for fork in forks {
            json.beginObject()
            json.key("seen_at")
            json.seconds(microseconds: fork.seenAt.microseconds)
            if let batchID = fork.batchID {
                json.key("batch")
                json.string(batchID)
            }
            json.key("acknowledged")
            json.writeRanges(fork.acknowledged)
            json.key("forked")
            json.writeRanges(fork.forked)
            json.endObject()
        }
        json.endArray()
        json.endObject()
    }

    /// Reads the body of `GET /v1/installs/{install_id}`.
    ///
    /// - Throws: ``BatchHeaderError`` if the body has another form.
    package init(_ value: JSONValue) throws(BatchHeaderError) {
        var numbers: [Numbers] = []
        for (index, range) in try value.elements("numbers", at: "").enumerated() {
            let pointer = "/numbers/\(index)"
            guard let fate = NumberFate(name: try range.text("fate", at: pointer)) else {
                throw BatchHeaderError(pointer: "\(pointer)/fate", reason: "is unknown: update this program")
            }
            numbers.append(Numbers(seqs: try range.seqs(at: pointer), fate: fate))
        }
        var ledger: [BatchHeader.LedgerRow] = []
        for (index, row) in try value.elements("ledger", at: "").enumerated() {
            ledger.append(try BatchHeader.LedgerRow(row, at: "/ledger/\(index)"))
        }
        var forks: [Fork] = []
        for (index, fork) in try value.elements("forks", at: "").enumerated() {
            forks.append(
                Fork(
                    seenAt: try fork.requiredTime("seen_at", at: "/forks/\(index)"),
                    batchID: fork["batch"]?.stringValue, acknowledged: try fork.ranges("acknowledged"),
                    forked: try fork.ranges("forked")))
        }
        self.init(
            installID: try value.text(EnvelopeMember.installID.rawValue, at: ""),
            firstSeen: try value.requiredTime("first_seen", at: ""),
            lastSeen: try value.requiredTime("last_seen", at: ""), highest: try value.whole("highest", at: "", from: 0),
            numbers: numbers, ledger: ledger, forks: forks)
    }
}

extension InstallCompleteness: JSONLineWritable {
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key(EnvelopeMember.installID.name)
        json.string(installID)
        for (name, count) in [
            ("highest", highest), ("stored", stored), ("explained", explained), ("held", held), ("missing", missing),
        ] {
            json.key(name)
            json.integer(count)
        }
        json.key("complete")
        json.bool(isComplete)
        json.endObject()
    }

    /// - Throws: ``BatchHeaderError`` if a member is missing or has the wrong type.
    package init(_ value: JSONValue, at pointer: String = "") throws(BatchHeaderError) {
        guard case .bool(let isComplete)? = value["complete"] else {
            throw BatchHeaderError(pointer: "\(pointer)/complete", reason: "must be true or false")
        }
        self.init(
            installID: try value.text(EnvelopeMember.installID.rawValue, at: pointer),
            highest: try value.whole("highest", at: pointer, from: 0),
            stored: try value.whole("stored", at: pointer, from: 0),
            explained: try value.whole("explained", at: pointer, from: 0),
            held: try value.whole("held", at: pointer, from: 0),
            missing: try value.whole("missing", at: pointer, from: 0), isComplete: isComplete)
    }
}

extension RangeHash: JSONLineWritable {
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.writeRange(seqs)
        json.key("hash")
        json.string(hexadecimal)
        json.endObject()
    }

    /// The hash as 16 hexadecimal digits, the highest first.
    package var hexadecimal: String {
        Self.digits(of: hash)
    }

    /// A hash as 16 hexadecimal digits, the highest first.
    package static func digits(of hash: UInt64) -> String {
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// - Throws: ``BatchHeaderError`` if a member is missing or has the wrong type.
    package init(_ value: JSONValue, at pointer: String = "") throws(BatchHeaderError) {
        let digits = try value.text("hash", at: pointer)
        guard digits.utf8.count == 16, let hash = UInt64(digits, radix: 16) else {
            throw BatchHeaderError(pointer: "\(pointer)/hash", reason: "must be 16 hexadecimal digits")
        }
        self.init(seqs: try value.seqs(at: pointer), hash: hash)
    }
}

extension BatchSummary: JSONLineWritable {
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("receipt")
        json.integer(receipt)
        json.key(EnvelopeMember.installID.name)
        json.string(installID)
        if let batchID {
            json.key("batch")
            json.string(batchID)
        }
        json.key("received_at")
        json.seconds(microseconds: receivedAt.microseconds)
        if let seqs { json.writeRange(seqs) }
        json.key("lines")
        json.integer(lines)
        json.endObject()
    }
}

extension RejectedLine {
    package init(_ value: JSONValue) throws(BatchHeaderError) {
        receipt = try value.whole("receipt", at: "", from: 1)
        installID = try value.text(EnvelopeMember.installID.rawValue, at: "")
        receivedAt = try value.requiredTime("received_at", at: "")
        guard let rejection = value["rejection"] else {
            throw BatchHeaderError(pointer: "/rejection", reason: "is missing")
        }
        self.rejection = try Receipt.Rejection(rejection, at: "/rejection")
        bytes = value["bytes"]?.stringValue.flatMap { Data(base64Encoded: $0) }.map { [UInt8]($0) }
    }
}

extension RejectedLine: JSONLineWritable {
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("receipt")
        json.integer(receipt)
        json.key(EnvelopeMember.installID.name)
        json.string(installID)
        json.key("received_at")
        json.seconds(microseconds: receivedAt.microseconds)
        json.key("rejection")
        rejection.write(to: &json)
        if let bytes {
            json.key("bytes")
            json.string(Data(bytes).base64EncodedString())
        }
        json.endObject()
    }
}

extension JSONValue {
    package func requiredTime(_ name: String, at pointer: String) throws(BatchHeaderError) -> EventTime {
        guard let time = time(name) else {
            throw BatchHeaderError(pointer: "\(pointer)/\(name)", reason: "must be seconds since 1970")
        }
        return time
    }
}
