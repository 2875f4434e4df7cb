internal import DeliveryProtocol
package import LogMaintenance
internal import Primitives
package import StreamClient

/// Reads the lines of installs in a stream.
package struct StreamReading {
    private let stream: JetStream

    package init(_ stream: JetStream) { self.stream = stream }

    /// The servers, for messages.
    package var name: String { stream.address }

    /// Reads the partitions of installs completely, as far as their messages are kept.
    ///
    /// Memory: 16 bytes per line.
    ///
    /// - Returns: An entry for each install.
    /// - Throws: `StreamError`.
    package func lines(of installs: [String]) throws -> [String: StageLines] {
        let state = try stream.state(of: StreamNames.events)
        guard let partitions = state.partitions, partitions > 0 else {
            throw StreamError(.settings, "\(name): the stream \(StreamNames.events) was not made by a collector")
        }
        var found = Dictionary(installs.map { ($0, StageLines()) }, uniquingKeysWith: { $1 })
        for partition in Set(installs.map { StreamNames.partition(ofInstall: $0, count: partitions) }).sorted() {
            try read(partition, through: state.last, into: &found)
        }
        for install in installs { found[install]?.finish(mergesEqual: true) }
        return found
    }

    private func read(_ partition: Int, through last: Int64, into found: inout [String: StageLines]) throws {
        var sequence: Int64 = 0
        while true {
            let (messages, hasMore) = try stream.messages(
                of: StreamNames.events, subject: StreamNames.events(partition), after: sequence, limit: 512)
            for next in messages {
                let message: StreamMessage
                do throws(StreamMessageError) { message = try StreamMessage(payload: next.data) } catch {
                    throw StreamError(
                        .invalidMessage, "\(name): message \(next.sequence) cannot be read: \(error)")
                }
                guard found[message.installID] != nil else { continue }
                message.forEachLine { seq, line in
                    found[message.installID]?.add(seq, LineDigest.summand(of: line))
                }
                found[message.installID]?.erased += message.absent.filter { $0.fate == .erased }.map(\.seqs)
            }
            sequence = messages.last?.sequence ?? sequence
            if messages.isEmpty || !hasMore && sequence >= last { return }
        }
    }
}
