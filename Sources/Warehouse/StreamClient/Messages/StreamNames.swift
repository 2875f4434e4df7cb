internal import Primitives

/// The streams behind the collectors, and their subjects.
package enum StreamNames {
    /// The stream of accepted batches.
    package static let events = "EVENTS"
    /// The stream of cuts, which divide each partition into blocks.
    package static let cuts = "CUTS"
    /// The stream of verdicts about installs: the latest one of each.
    package static let verdicts = "VERDICTS"
    static let verdictsPrefix = "verdicts"
    /// The subject of all verdicts.
    package static let allVerdicts = "verdicts.>"
    /// The member of the stream's metadata with the number of partitions.
    package static let partitionsKey = "swift-tracking.partitions"

    package static func events(_ partition: Int) -> String { "events.\(partition)" }
    package static func cuts(_ partition: Int) -> String { "cuts.\(partition)" }
    package static func erased(_ partition: Int) -> String { "erased.\(partition)" }

    /// The partition of an install: the first eight bytes of the SHA-256 of its id, little-endian, modulo `count`.
    package static func partition(ofInstall id: String, count: Int) -> Int {
        let digest = SHA256.bytes(of: Array(id.utf8))
        return Int(digest.withUnsafeBytes { LineDigest.summand($0, at: 0) } % UInt64(count))
    }
}
