internal import DeliveryProtocol
internal import JSONLines

/// The boundary of a block: the messages of a partition that a loader writes together. Cuts are messages themselves, so
/// that each loader of a partition cuts alike, also after a crash.
package struct BlockCut: Equatable, Sendable {
    package var partition: Int
    /// The block's number in its partition, from 1.
    package var number: Int64
    /// The block has the partition's messages with stream sequences above `after`, up to `through`.
    package var after: Int64
    package var through: Int64
    /// The number of messages.
    package var messages: Int64
    /// The sum modulo 2^64 of the first eight bytes, little-endian, of the SHA-256 of each payload.
    package var digest: UInt64

    /// The block's id, such as `3-17`.
    package var id: String { "\(partition)-\(number)" }

    package init(
        partition: Int, number: Int64, after: Int64, through: Int64, messages: Int64, digest: UInt64
    ) {
        self.partition = partition
        self.number = number
        self.after = after
        self.through = through
        self.messages = messages
        self.digest = digest
    }

    package var payload: [UInt8] {
        var json = JSONWriter(capacity: 128)
        json.beginObject()
        json.key("v")
        json.integer(1)
        json.key("partition")
        json.integer(partition)
        json.key("block")
        json.integer(number)
        json.key("after")
        json.integer(after)
        json.key("through")
        json.integer(through)
        json.key("messages")
        json.integer(messages)
        json.key("digest")
        json.string(RangeHash.digits(of: digest))
        json.endObject()
        return json.bytes
    }

    /// Reads a payload.
    ///
    /// - Throws: ``StreamMessageError``.
    package init(payload: [UInt8]) throws(StreamMessageError) {
        let value: JSONValue
        do { value = try JSONParser.parse(payload) } catch {
            throw StreamMessageError(reason: "the cut is not JSON: \(error)")
        }
        guard value["v"]?.integerValue == 1 else {
            throw StreamMessageError(reason: "the cut has an unknown version: update this program")
        }
        do throws(BatchHeaderError) {
            let digits = try value.text("digest", at: "")
            guard let digest = UInt64(digits, radix: 16) else {
                throw BatchHeaderError(pointer: "/digest", reason: "must be hexadecimal digits")
            }
            self.init(
                partition: Int(try value.whole("partition", at: "", from: 0)),
                number: try value.whole("block", at: "", from: 1),
                after: try value.whole("after", at: "", from: 0),
                through: try value.whole("through", at: "", from: 1),
                messages: try value.whole("messages", at: "", from: 1), digest: digest)
        } catch {
            throw StreamMessageError(reason: "the cut is invalid: \(error)")
        }
    }
}
