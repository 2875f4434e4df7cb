#if Collector
    internal import CollectorStore
    package import EventModel
    internal import Primitives

    /// A key as the collector keeps it: its digest, never the key.
    package struct AccessKey: Equatable, Sendable {
        package enum Kind: String, CaseIterable, Sendable {
            /// Sends events. It is in an app, so it is public.
            case write
            /// Reads, imports and erases.
            case admin

            /// What a key of this kind begins with.
            var prefix: String { self == .write ? "wk_" : "at_" }
        }

        /// The first characters of the key: enough to tell keys apart in lists and logs, too few to guess the rest.
        package var id: String
        package var kind: Kind
        /// Whose key it is; metrics count by it.
        package var app: String
        /// SHA-256, as 64 hexadecimal digits. Keys have 160 random bits, so a slow hash would add nothing.
        package var digest: String
        package var createdAt: EventTime
        /// When it was revoked; nil while it is valid.
        package var revokedAt: EventTime?

        /// Draws a new key.
        ///
        /// - Returns: The entry, and the key itself, which is nowhere else.
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

        static func digest(of key: String) -> String { LineDigest.bytes(of: Array(key.utf8)).hexadecimal }
    }
#endif
