package import EventModel
internal import Primitives

/// A key as the collector stores it: its digest, not the key itself.
package struct AccessKey: Equatable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        /// Sends events. Apps contain it, so it is public.
        case write
        /// Reads, imports and erases.
        case admin

        /// The prefix of keys of this kind.
        var prefix: String { self == .write ? "wk_" : "at_" }
    }

    /// The first characters of the key: enough to tell keys apart in lists and logs, too few to guess the rest.
    package var id: String
    package var kind: Kind
    /// The app that the key belongs to; a label of metrics.
    package var app: String
    /// SHA-256, as 64 hexadecimal digits. Keys have 160 random bits, so a slow hash would add no security.
    package var digest: String
    package var createdAt: EventTime
    /// When the key was revoked; nil while it is valid.
    package var revokedAt: EventTime?

    /// Generates a random key.
    ///
    /// - Returns: The entry, and the key itself, which is stored nowhere.
    package static func draw(_ kind: Kind, app: String, at now: EventTime) -> (entry: AccessKey, key: String) {
        var random = SystemRandomNumberGenerator()
        let digits = (0..<20).map { _ in UInt8.random(in: 0...255, using: &random) }.hexadecimal
        let key = kind.prefix + digits
        return (
            AccessKey(
                id: String(key.prefix(9)), kind: kind, app: app, digest: Self.digest(of: key), createdAt: now,
                revokedAt: nil), key
        )
    }

    static func digest(of key: String) -> String { SHA256.bytes(of: Array(key.utf8)).hexadecimal }
}
