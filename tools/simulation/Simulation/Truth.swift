import StreamClient

/// Lines with consecutive numbers that a device recorded in a session. Represents the bytes of the lines.
struct Piece {
    var seqs: ClosedRange<Int64>
    /// Which device recorded them under the install: an index in ``Install/branches``. Lines of different branches have
    /// different bytes.
    var branch: Int32
    /// The true time.
    var recordedAt: Microseconds
    /// The error of the device's clock at that time.
    var clockError: Int64

    func clamped(to range: ClosedRange<Int64>) -> Piece? {
        guard seqs.overlaps(range) else { return nil }
        var piece = self
        piece.seqs = seqs.clamped(to: range)
        return piece
    }
}

/// The events of one device under an install, and what has become of them.
final class Branch {
    /// Makes the hashes of its lines differ from those of all other branches.
    let key: UInt64
    /// The number before its first event.
    let base: Int64
    var last: Int64
    /// Numbers of rows in the store.
    var stored: NumberBitmap
    /// Acknowledged, and not in the store yet.
    var unstored: Ranges = []
    /// Discarded by the device with a reason.
    var discarded: Ranges = []
    /// Rejected by the collectors' schemas.
    var rejected: Ranges = []
    /// Copied to a new install after 409.
    var moved: Ranges = []
    /// Lost with the device: reinstalled, restored from a backup, or never seen again.
    var lost: Ranges = []

    init(key: UInt64, base: Int64) {
        (self.key, self.base, self.last) = (key, base, base)
        stored = NumberBitmap(from: base)
    }

    /// The hash of a line; production code uses eight bytes of its SHA-256.
    @inline(__always)
    func hash(of seq: Int64) -> UInt64 {
        var mixed = key &+ UInt64(bitPattern: seq) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// The secret of an install.
final class Secret {
    let hash: [UInt8]

    init(_ seed: UInt64) {
        hash = (0..<32).map {
            UInt8(truncatingIfNeeded: (seed &* 0x9E37_79B9_7F4A_7C15) >> UInt64($0 & 7 * 8)) ^ UInt8($0)
        }
    }
}

/// What the simulation knows about an install.
final class Install {
    let number: Int
    let id: String
    var branches: [Branch] = []
    /// Numbers with a row in the store that is no fork.
    var lines = NumberBitmap()
    /// Numbers with a fork in the store.
    var forks = NumberBitmap()
    /// Numbers that loaded messages have accounted for.
    var accounted = NumberBitmap()
    /// The highest number of loaded messages.
    var highest: Int64 = 0
    /// When each missing number was noticed.
    var missingSince: [Int64: Microseconds] = [:]
    /// Messages that are not in the store yet.
    var inFlight: [Message] = []
    /// The secret of the first loaded message.
    var firstSecret: Secret?
    /// Whether a message with another one was loaded.
    var hasOtherSecret = false
    /// The latest verdict in the stream, and since when.
    var published: InstallVerdict?
    var publishedAt: Microseconds = 0
    /// Whether it was cloned or restored from a backup.
    var isCopied = false

    init(number: Int, id: String) { (self.number, self.id) = (number, id) }
}

/// A batch that a device sealed. A retry sends the same.
final class Batch {
    let id: UInt64
    let install: Install
    let secret: Secret
    let seqs: ClosedRange<Int64>
    let lines: [Piece]
    /// Lines that the collectors' schemas reject.
    let invalid: Ranges
    let absent: [StreamMessage.AbsentNumbers]

    init(
        id: UInt64, install: Install, secret: Secret, seqs: ClosedRange<Int64>, lines: [Piece], invalid: Ranges,
        absent: [StreamMessage.AbsentNumbers]
    ) {
        (self.id, self.install, self.secret, self.seqs) = (id, install, secret, seqs)
        (self.lines, self.invalid, self.absent) = (lines, invalid, absent)
    }
}

/// A batch that a collector accepted: a message of the stream.
final class Message {
    let batch: Batch
    /// The lines that the collector did not have.
    let lines: [Piece]
    let absent: [StreamMessage.AbsentNumbers]
    let receivedAt: Microseconds
    /// The send time by the device's clock.
    let sentAt: Microseconds
    /// The true send time.
    let leftAt: Microseconds
    /// The error of the device's clock when it was sent.
    let clockError: Int64
    /// Identifies the content: the stream removes messages with equal ids.
    let id: UInt64
    /// Whether it is in the collector's store and not forwarded yet.
    var isAtCollector = true
    /// Whether it is in the stream and not loaded yet.
    var isInStream = false

    init(
        _ batch: Batch, lines: [Piece], absent: [StreamMessage.AbsentNumbers], receivedAt: Microseconds,
        sentAt: Microseconds, leftAt: Microseconds, clockError: Int64
    ) {
        (self.batch, self.lines, self.absent, self.receivedAt) = (batch, lines, absent, receivedAt)
        (self.sentAt, self.leftAt, self.clockError) = (sentAt, leftAt, clockError)
        var id = batch.id
        for piece in lines {
            id = (id ^ UInt64(bitPattern: piece.seqs.lowerBound &* 31 &+ piece.seqs.upperBound)) &* 0x100_0000_01B3
        }
        self.id = id
    }
}
