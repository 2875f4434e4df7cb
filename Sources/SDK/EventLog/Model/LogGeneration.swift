internal import EventModel

/// One install of a log. Log numbers, in the database and the journals, rise for the life of the log. The install's
/// `seq`, in its lines, counts from ``base``.
package struct LogGeneration: Hashable, Sendable {
    /// The number of the install, from 1.
    package let number: Int
    /// `install_id` in the lines.
    package let installID: String
    /// 32 hexadecimal digits; empty if it was lost.
    package let secret: String
    /// The offset of `seq`: a log number is `base + seq`.
    package let base: Int64
    /// The last log number that belongs to the install; nil for the newest generation.
    package let last: Int64?
    /// Whether the log adopted the id from recorded events, so that another log may also deliver under it.
    package let isAdopted: Bool

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

    /// The log numbers that belong to the install.
    package var numbers: ClosedRange<Int64> { base + 1...max(last ?? EventRecord.highestSeq, base + 1) }
}

extension LogGeneration: CustomStringConvertible, CustomReflectable {
    /// A description without the secret.
    package var description: String { "generation \(number), install \(installID), numbers from \(base + 1)" }

    /// A mirror without the secret.
    package var customMirror: Mirror {
        Mirror(self, children: ["number": number, "installID": installID, "base": base])
    }
}
