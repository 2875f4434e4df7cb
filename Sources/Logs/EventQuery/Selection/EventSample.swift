package import EventModel

/// A share of all events, the same ones in every run: all events with one value of the key are in it, or none.
package struct EventSample: Sendable {
    private let key: EventPath
    /// A hash below it is in; nil takes all.
    private let bound: UInt64?

    /// Reads a share: `10%`, `0.5%` or `0.1`.
    ///
    /// - Parameter key: What decides; events without it are left out.
    /// - Returns: nil if that is no share above 0 and up to 1.
    package init?(share text: String, key: EventPath) {
        let isPercent = text.hasSuffix("%")
        guard let number = Double(isPercent ? String(text.dropLast()) : text) else { return nil }
        let share = isPercent ? number / 100 : number
        guard share > 0, share <= 1 else { return nil }
        self.key = key
        bound = share == 1 ? nil : UInt64(share * 0x1p64)
    }

    func takes(_ line: EventLine) -> Bool {
        let hash: UInt64? =
            switch line.value(at: key) {
            case .text(let text): JSONText.withBytes(text) { Self.hash($0) }
            case .number(let bytes), .nested(let bytes): Self.hash(bytes)
            case .bool(let value): value ? 1 : 0
            case .null, nil: nil
            }
        guard let hash else { return false }
        return bound.map { hash < $0 } ?? true
    }

    /// FNV-1a of 64 bits, its bits mixed as the finalizer of MurmurHash3 does: the same on every machine and in every
    /// version, unlike Swift's own hashes.
    private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return hash ^ hash >> 33
    }
}
