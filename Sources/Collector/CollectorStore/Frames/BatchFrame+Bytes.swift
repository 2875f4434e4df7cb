internal import DeliveryProtocol
internal import EventModel

// The payload of a batch frame. The format is frozen: changes get a new kind of frame, and this kind stays
// readable. The kind for messages has their keys before the payload.
extension BatchFrame {
    func writeMessages(to bytes: inout ByteWriter) {
        bytes.number(messages.count)
        for message in messages { message.write(to: &bytes) }
    }

    /// Reads the payload of a frame with messages.
    init(withMessages bytes: inout ByteReader) throws(ByteReader.Malformed) {
        var messages: [MessageKey] = []
        for _ in 0..<(try bytes.count()) { messages.append(try MessageKey(&bytes)) }
        self = try BatchFrame(&bytes)
        self.messages = messages
    }

    func write(to bytes: inout ByteWriter) {
        bytes.reserve(text.count + 16 * lines.count + 1024)
        bytes.signed(receivedAt)
        bytes.optionalTime(sentAt)
        bytes.text(installID)
        bytes.counted(secretHash)
        bytes.counted(key)
        bytes.counted(digest)
        bytes.optionalText(named?.collector)
        if let named { bytes.number(UInt64(named.number)) }
        bytes.number(seqs == nil ? 0 : 1)
        if let seqs { bytes.ranges([seqs]) }
        bytes.number(absent.count)
        for range in absent {
            bytes.text(range.reason.rawValue)
            bytes.ranges([range.seqs])
        }
        bytes.ledger(ledger)
        for ranges in [duplicates, unverified, erased, missing, removed] { bytes.ranges(ranges) }
        bytes.number(UInt64(highest))
        bytes.number(rejected.count)
        for record in rejected { record.write(to: &bytes) }
        for texts in [users, schemas] {
            bytes.number(texts.count)
            for text in texts { bytes.text(text) }
        }
        bytes.number(lines.count)
        var seq = Int64(0)
        var time = receivedAt
        for line in lines {
            bytes.number(UInt64(line.seq - seq))
            bytes.number(line.length)
            bytes.signed(line.time &- time)
            bytes.number(line.user)
            bytes.number(line.schema << 1 | (line.isValidated ? 1 : 0))
            seq = line.seq
            time = line.time
        }
        bytes.raw(text)
    }

    init(_ bytes: inout ByteReader) throws(ByteReader.Malformed) {
        receivedAt = try bytes.signed()
        sentAt = try bytes.optionalTime()
        installID = try bytes.text()
        secretHash = try bytes.counted()
        key = try bytes.counted()
        digest = try bytes.counted()
        if let collector = try bytes.optionalText() {
            named = ReceiptName(collector: collector, number: try bytes.seq())
        }
        if try bytes.flag() { seqs = try bytes.range() }
        for _ in 0..<(try bytes.count()) {
            guard let reason = MissingReason(rawValue: try bytes.text()) else { throw ByteReader.Malformed() }
            absent.append(.init(try bytes.range(), reason))
        }
        ledger = try bytes.ledger()
        duplicates = try bytes.ranges()
        unverified = try bytes.ranges()
        erased = try bytes.ranges()
        missing = try bytes.ranges()
        removed = try bytes.ranges()
        highest = try bytes.seq()
        for _ in 0..<(try bytes.count()) { rejected.append(try RejectedRecord(&bytes)) }
        for _ in 0..<(try bytes.count()) { users.append(try bytes.text()) }
        for _ in 0..<(try bytes.count()) { schemas.append(try bytes.text()) }
        let count = try bytes.count()
        lines.reserveCapacity(count)
        var seq = Int64(0)
        var time = receivedAt
        var total = 0
        for _ in 0..<count {
            let step = try bytes.seq()
            seq += step
            let length = try bytes.number()
            time &+= try bytes.signed()
            let user = try bytes.number()
            let schema = try bytes.number()
            guard step > 0, seq <= EventRecord.highestSeq, length < UInt64(bytes.rest), user < UInt64(users.count),
                schema >> 1 < UInt64(schemas.count)
            else { throw ByteReader.Malformed() }
            total += Int(length) + 1
            lines.append(
                LineFacts(
                    seq: seq, length: Int(length), time: time, user: Int(user), schema: Int(schema >> 1),
                    isValidated: schema & 1 == 1))
        }
        text = [UInt8](try bytes.raw(total))
    }
}

extension BatchFrame.MessageKey {
    func write(to bytes: inout ByteWriter) {
        bytes.number(UInt64(seq))
        bytes.counted(key)
    }

    init(_ bytes: inout ByteReader) throws(ByteReader.Malformed) {
        seq = try bytes.seq()
        key = try bytes.counted()
    }
}

extension BatchFrame.RejectedRecord {
    fileprivate func write(to bytes: inout ByteWriter) {
        bytes.number(rejection.line)
        bytes.number(UInt64(rejection.seq ?? 0))
        bytes.optionalText(rejection.id)
        for text in [rejection.code, rejection.message, rejection.instancePath, rejection.schemaPath] {
            bytes.text(text)
        }
        bytes.number(self.bytes == nil ? 0 : 1)
        if let own = self.bytes { bytes.counted(own) }
    }

    fileprivate init(_ bytes: inout ByteReader) throws(ByteReader.Malformed) {
        let line = try bytes.seq()
        let seq = try bytes.seq()
        let id = try bytes.optionalText()
        rejection = .init(
            seq: seq == 0 ? nil : seq, id: id, line: Int(line), code: try bytes.text(), message: try bytes.text(),
            instancePath: try bytes.text(), schemaPath: try bytes.text())
        self.bytes = try bytes.flag() ? try bytes.counted() : nil
    }
}

extension ByteWriter {
    mutating func optionalTime(_ time: Int64?) {
        number(time == nil ? 0 : 1)
        if let time { signed(time) }
    }

    mutating func ledger(_ rows: [BatchHeader.LedgerRow]) {
        number(rows.count)
        for row in rows {
            text(row.reason)
            number(UInt64(row.count))
            ranges(row.seqs.map { [$0] } ?? [])
            optionalTime(row.times?.lowerBound.microseconds)
            optionalTime(row.times?.upperBound.microseconds)
        }
    }
}

extension ByteReader {
    mutating func optionalTime() throws(Malformed) -> Int64? { try flag() ? try signed() : nil }

    /// Reads ranges, and requires exactly one.
    mutating func range() throws(Malformed) -> ClosedRange<Int64> {
        let ranges = try self.ranges()
        guard ranges.count == 1 else { throw Malformed() }
        return ranges[0]
    }

    mutating func ledger() throws(Malformed) -> [BatchHeader.LedgerRow] {
        var rows: [BatchHeader.LedgerRow] = []
        for _ in 0..<(try count()) {
            let reason = try text()
            let count = try seq()
            let ranges = try self.ranges()
            let first = try optionalTime()
            let last = try optionalTime()
            guard ranges.count <= 1 else { throw Malformed() }
            var times: ClosedRange<EventTime>?
            if let first, let last, first <= last {
                times = .init(microseconds: first)...(.init(microseconds: last))
            }
            rows.append(.init(reason: reason, seqs: ranges.first, count: count, times: times))
        }
        return rows
    }
}
