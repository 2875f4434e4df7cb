internal import DeliveryProtocol
internal import JSONLines

/// Records that a message was removed from the stream of events, because a user was erased. Its other lines were
/// published again. Cuts count the removed message, so a loader that makes the block again needs the record.
package struct ErasedMessage: Equatable, Sendable {
    package var sequence: Int64
    /// As in ``BlockCut/digest``, of the removed message.
    package var digest: UInt64

    package init(sequence: Int64, digest: UInt64) {
        self.sequence = sequence
        self.digest = digest
    }

    package var payload: [UInt8] {
        var json = JSONWriter(capacity: 64)
        json.beginObject()
        json.key("v")
        json.integer(1)
        json.key("sequence")
        json.integer(sequence)
        json.key("digest")
        json.string(RangeHash.digits(of: digest))
        json.endObject()
        return json.bytes
    }

    /// Reads a payload.
    ///
    /// - Throws: ``StreamMessageError``.
    package init(payload: [UInt8]) throws(StreamMessageError) {
        guard let value = JSONValue(validating: payload), value["v"]?.integerValue == 1,
            let sequence = value["sequence"]?.integerValue, sequence > 0,
            let digest = value["digest"]?.stringValue.flatMap({ UInt64($0, radix: 16) })
        else { throw StreamMessageError(reason: "the record of an erased message is invalid: update this program") }
        self.init(sequence: sequence, digest: digest)
    }
}
