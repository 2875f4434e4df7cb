internal import DeliveryProtocol
internal import Primitives

/// An install's erasure of one of its users. Written before the answer; the lines are removed later.
struct ErasureFrame: Equatable {
    var receivedAt: Int64
    var installID: String
    /// The SHA-256 of the install's secret.
    var secretHash: [UInt8]
    /// The request's id, 16 bytes.
    var key: [UInt8]
    /// SHA-256 of the request without its secret, which a retry repeats.
    var digest: [UInt8]
    /// ``key(of:installID:)`` of the user.
    var userKey: [UInt8]
    /// The user's id, to find it in rejected lines; nil once all segments are rewritten, or if they had nothing to remove.
    var user: String?
    /// The user's lines up to this number are not stored any more.
    var through: Int64
    /// Numbers whose stored lines are the user's.
    var erased: [ClosedRange<Int64>]
    /// Named numbers without a stored line. Another user's line may still be stored under them.
    var named: [ClosedRange<Int64>]
    /// Named numbers that keep their line.
    var kept: Int64

    /// The fate of ``named`` numbers: refused is lower than stored, because the line that arrives may be another user's.
    /// Summaries list them as erased.
    static let namedFate = NumberFate.refused

    /// The length of ``userKey``.
    static let userKeyBytes = 16

    /// Identifies a user of an install without the user's id. Another install's key of the same user is different.
    static func key(of user: String, installID: String) -> [UInt8] {
        Array(SHA256.bytes(of: Array("\(installID)\n\(user)".utf8)).prefix(userKeyBytes))
    }

    func write(to bytes: inout ByteWriter) {
        bytes.signed(receivedAt)
        bytes.text(installID)
        for part in [secretHash, key, digest, userKey] { bytes.counted(part) }
        bytes.optionalText(user)
        bytes.number(UInt64(through))
        bytes.ranges(erased)
        bytes.ranges(named)
        bytes.number(UInt64(kept))
    }

    /// The receipt of this erasure, the same at each call.
    func receipt(collector: String, number: Int64) -> ErasureReceipt {
        ErasureReceipt(
            name: ReceiptName(collector: collector, number: number), installID: installID, id: key.hexadecimal,
            through: through, marked: NumberRanges.count(erased + named).value,
            events: NumberRanges.count(erased).value, kept: kept)
    }
}

extension ErasureFrame {
    init(_ bytes: inout ByteReader) throws(ByteReader.Malformed) {
        receivedAt = try bytes.signed()
        installID = try bytes.text()
        secretHash = try bytes.counted()
        key = try bytes.counted()
        digest = try bytes.counted()
        userKey = try bytes.counted()
        user = try bytes.optionalText()
        through = try bytes.seq()
        erased = try bytes.ranges()
        named = try bytes.ranges()
        kept = try bytes.seq()
    }
}

/// The permanent facts about an erasure. The fates of its numbers are in ``InstallState``.
struct KeptErasure: Equatable {
    /// The number of its frame.
    var frame: Int64
    var installID: String
    var key: [UInt8]
    var digest: [UInt8]
    var userKey: [UInt8]
    var through: Int64
    var named: [ClosedRange<Int64>]
    /// ``ErasureReceipt/events``.
    var events: Int64
    /// ``ErasureReceipt/kept``.
    var kept: Int64

    init(_ frame: ErasureFrame, number: Int64) {
        self.frame = number
        installID = frame.installID
        key = frame.key
        digest = frame.digest
        userKey = frame.userKey
        through = frame.through
        named = frame.named
        events = NumberRanges.count(frame.erased).value
        kept = frame.kept
    }

    init(
        frame: Int64, installID: String, key: [UInt8], digest: [UInt8], userKey: [UInt8], through: Int64,
        named: [ClosedRange<Int64>], events: Int64, kept: Int64
    ) {
        self.frame = frame
        self.installID = installID
        self.key = key
        self.digest = digest
        self.userKey = userKey
        self.through = through
        self.named = named
        self.events = events
        self.kept = kept
    }

    func write(to bytes: inout ByteWriter) {
        bytes.number(UInt64(frame))
        bytes.text(installID)
        for part in [key, digest, userKey] { bytes.counted(part) }
        bytes.number(UInt64(through))
        bytes.ranges(named)
        bytes.number(UInt64(events))
        bytes.number(UInt64(kept))
    }

    init(_ bytes: inout ByteReader) throws(ByteReader.Malformed) {
        frame = try bytes.seq()
        installID = try bytes.text()
        key = try bytes.counted()
        digest = try bytes.counted()
        userKey = try bytes.counted()
        through = try bytes.seq()
        named = try bytes.ranges()
        events = try bytes.seq()
        kept = try bytes.seq()
    }

    func receipt(collector: String) -> ErasureReceipt {
        ErasureReceipt(
            name: ReceiptName(collector: collector, number: frame), installID: installID, id: key.hexadecimal,
            through: through, marked: (SaturatingCount(events) + NumberRanges.count(named)).value,
            events: events, kept: kept)
    }
}
