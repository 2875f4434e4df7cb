/// A partition of the stream. Mirrors JetStream: messages get sequences, and a message whose id it received in the last
/// two minutes is ignored.
struct StreamModel {
    static let window = 2 * Microseconds.minute

    private(set) var last: Int64 = 0
    /// Messages that are not loaded, with their sequences.
    var waiting: [(sequence: Int64, message: Message)] = []
    private(set) var duplicates: Int64 = 0
    /// Of all messages up to each sequence: what a cut must have.
    private(set) var digest: UInt64 = 0
    private var ids: [UInt64: Microseconds] = [:]
    private var order: [(id: UInt64, time: Microseconds)] = []
    private var forgotten = 0

    /// Stores a message.
    ///
    /// - Returns: Whether it was new.
    mutating func publish(_ message: Message, at now: Microseconds) -> Bool {
        while forgotten < order.count, order[forgotten].time < now - Self.window {
            if ids[order[forgotten].id] == order[forgotten].time { ids[order[forgotten].id] = nil }
            forgotten += 1
        }
        if forgotten > 4096 {
            order.removeFirst(forgotten)
            forgotten = 0
        }
        guard ids[message.id] == nil else {
            duplicates += 1
            return false
        }
        ids[message.id] = now
        order.append((message.id, now))
        last += 1
        waiting.append((last, message))
        digest &+= Self.digest(of: message, last)
        return true
    }

    static func digest(of message: Message, _ sequence: Int64) -> UInt64 {
        (message.id ^ UInt64(bitPattern: sequence)) &* 0x9E37_79B9_7F4A_7C15
    }
}
