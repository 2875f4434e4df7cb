internal import DeliveryProtocol
internal import EventModel
internal import JSONLines
internal import Primitives

/// What the loader of a partition found out about an install, and no single collector can know: it sees the batches of all
/// collectors. Collectors apply it to their next answers to the install. The latest verdict of an install replaces the
/// former one; an empty one revokes it.
package struct InstallVerdict: Equatable, Sendable {
    /// The most ranges of each kind, so that a verdict fits into a message (1 MiB, less 4 KiB for its header) with the longest
    /// numbers. Once the first ones are settled, the next verdict has others.
    package static let maximumRanges = 10_000

    package var installID: String
    /// Numbers that no batch has accounted for, for some time. Collectors request them.
    package var missing: [ClosedRange<Int64>] = []
    /// Numbers with different bytes: two devices use the install. Collectors answer with 409, so that both continue as new
    /// installs.
    package var forked: [ClosedRange<Int64>] = []
    /// The SHA-256 of the install's first secret, if batches with another one arrived. Collectors reject other secrets.
    package var secretHash: [UInt8] = []

    package init(installID: String) { self.installID = installID }

    /// Whether there is nothing to apply.
    package var isEmpty: Bool { missing.isEmpty && forked.isEmpty && secretHash.isEmpty }

    package func subject(partition: Int) -> String {
        let digest = SHA256.bytes(of: Array(installID.utf8))
        return "\(StreamNames.verdictsPrefix).\(partition).\(Array(digest.prefix(16)).hexadecimal)"
    }

    package var payload: [UInt8] {
        var json = JSONWriter(capacity: 256)
        json.beginObject()
        json.key("v")
        json.integer(1)
        json.key(EnvelopeMember.installID.name)
        json.string(installID)
        json.key("missing")
        json.writeRanges(missing)
        json.key("forked")
        json.writeRanges(forked)
        if !secretHash.isEmpty {
            json.key("secret_hash")
            json.string(secretHash.hexadecimal)
        }
        json.endObject()
        return json.bytes
    }

    /// Reads a payload.
    ///
    /// - Throws: ``StreamMessageError``.
    package init(payload: [UInt8]) throws(StreamMessageError) {
        guard let value = JSONValue(validating: payload), value["v"]?.integerValue == 1 else {
            throw StreamMessageError(reason: "the verdict has an unknown form: update this program")
        }
        do throws(BatchHeaderError) {
            self.init(installID: try value.text(EnvelopeMember.installID.rawValue, at: ""))
            missing = try value.ranges("missing")
            forked = try value.ranges("forked")
            secretHash = value["secret_hash"]?.stringValue.flatMap { [UInt8](hexadecimal: $0) } ?? []
        } catch {
            throw StreamMessageError(reason: "the verdict is invalid: \(error)")
        }
    }
}
