internal import DeliveryProtocol

/// Ledger rows that arrived with a retry: its response is an old receipt, but the rows are new.
struct LedgerFrame: Equatable {
    var receivedAt: Int64
    var installID: String
    var ledger: [BatchHeader.LedgerRow]

    init(receivedAt: Int64, installID: String, ledger: [BatchHeader.LedgerRow]) {
        self.receivedAt = receivedAt
        self.installID = installID
        self.ledger = ledger
    }

    func write(to bytes: inout ByteWriter) {
        bytes.signed(receivedAt)
        bytes.text(installID)
        bytes.ledger(ledger)
    }

    init(_ bytes: inout ByteReader) throws(ByteReader.Malformed) {
        receivedAt = try bytes.signed()
        installID = try bytes.text()
        ledger = try bytes.ledger()
    }
}

/// A batch that was rejected as a fork. None of its lines is stored.
struct ForkFrame: Equatable {
    var receivedAt: Int64
    var installID: String
    /// The rejected batch's id; empty for an import.
    var key: [UInt8]
    /// Numbers of the batch that are stored with the same bytes.
    var acknowledged: [ClosedRange<Int64>]
    /// Numbers of the batch that are stored with different bytes.
    var forked: [ClosedRange<Int64>]

    init(
        receivedAt: Int64, installID: String, key: [UInt8], acknowledged: [ClosedRange<Int64>],
        forked: [ClosedRange<Int64>]
    ) {
        self.receivedAt = receivedAt
        self.installID = installID
        self.key = key
        self.acknowledged = acknowledged
        self.forked = forked
    }

    func write(to bytes: inout ByteWriter) {
        bytes.signed(receivedAt)
        bytes.text(installID)
        bytes.counted(key)
        bytes.ranges(acknowledged)
        bytes.ranges(forked)
    }

    init(_ bytes: inout ByteReader) throws(ByteReader.Malformed) {
        receivedAt = try bytes.signed()
        installID = try bytes.text()
        key = try bytes.counted()
        acknowledged = try bytes.ranges()
        forked = try bytes.ranges()
    }
}

/// The summary of a segment that retention removes: the index can be rebuilt from it without the segment.
struct ExpiryFrame: Equatable {
    var segment: Int64
    /// The numbers of the segment's frames.
    var frames: ClosedRange<Int64>
    /// The permanent state of each install that the segment had frames of.
    var installs: [InstallState]
    /// The messages of those frames that are still remembered.
    var messages: [RememberedMessage] = []
    /// The erasures of the installs.
    var erasures: [KeptErasure] = []

    /// A message, and how long it is remembered.
    struct RememberedMessage: Equatable {
        var installID: String
        var message: BatchFrame.MessageKey
        var receivedAt: Int64
    }

    init(segment: Int64, frames: ClosedRange<Int64>, installs: [InstallState]) {
        self.segment = segment
        self.frames = frames
        self.installs = installs
    }

    func write(to bytes: inout ByteWriter) {
        bytes.number(UInt64(segment))
        bytes.ranges([frames])
        bytes.number(installs.count)
        for install in installs { install.write(to: &bytes) }
    }

    init(_ bytes: inout ByteReader) throws(ByteReader.Malformed) {
        segment = try bytes.seq()
        frames = try bytes.range()
        installs = []
        for _ in 0..<(try bytes.count()) { installs.append(try InstallState(&bytes)) }
    }

    func writeMessages(to bytes: inout ByteWriter) {
        bytes.number(messages.count)
        for message in messages {
            bytes.text(message.installID)
            message.message.write(to: &bytes)
            bytes.signed(message.receivedAt)
        }
    }

    init(withMessages bytes: inout ByteReader) throws(ByteReader.Malformed) {
        var messages: [RememberedMessage] = []
        for _ in 0..<(try bytes.count()) {
            messages.append(
                RememberedMessage(
                    installID: try bytes.text(), message: try BatchFrame.MessageKey(&bytes),
                    receivedAt: try bytes.signed()))
        }
        self = try ExpiryFrame(&bytes)
        self.messages = messages
    }
    func writeErasures(to bytes: inout ByteWriter) {
        bytes.number(erasures.count)
        for erasure in erasures { erasure.write(to: &bytes) }
    }

    init(withErasures bytes: inout ByteReader) throws(ByteReader.Malformed) {
        var erasures: [KeptErasure] = []
        for _ in 0..<(try bytes.count()) { erasures.append(try KeptErasure(&bytes)) }
        self = try ExpiryFrame(withMessages: &bytes)
        self.erasures = erasures
    }
}
