internal import EventModel

/// One install of a log. Numbers in the database and the journals rise for the life of the log; an install's own numbers,
/// `seq` in its lines, are counted from ``base``.
package struct LogGeneration: Hashable, Sendable {
    /// Rises with each install, from 1.
    package let number: Int
    /// `install_id` in the lines.
    package let installID: String
    /// 32 hexadecimal digits; empty if it was lost.
    package let secret: String
    /// A log's number is `base + seq`.
    package let base: Int64
    /// The last of the log's numbers that belong to it; nil for the newest generation.
    package let last: Int64?
    /// Whether the log has taken the id over from recorded events, so that another log may deliver under it.
    package let isAdopted: Bool

    /// Makes one.
    package init(
        number: Int = 1, installID: String, secret: String, base: Int64 = 0, last: Int64? = nil, isAdopted: Bool = false
    ) {
        self.number = number
        self.installID = installID
        self.secret = secret
        self.base = base
        self.last = last
        self.isAdopted = isAdopted
    }

    /// The log's numbers that belong to it.
    package var numbers: ClosedRange<Int64> { base + 1...max(last ?? EventRecord.highestSeq, base + 1) }
}

extension LogGeneration: CustomStringConvertible, CustomReflectable {
    /// Without the secret.
    package var description: String { "generation \(number), install \(installID), numbers from \(base + 1)" }

    /// Without the secret.
    package var customMirror: Mirror {
        Mirror(self, children: ["number": number, "installID": installID, "base": base])
    }
}
