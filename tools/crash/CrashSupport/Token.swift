internal import Primitives

/// Identifies an event of the harness: the run, the lane, and the number in the lane.
package struct Token: Hashable, Sendable, CustomStringConvertible {
    /// The run of a sender, unique in a log.
    package let run: Int
    /// The sending thread in the run, starting at 0.
    package let lane: Int
    /// The event in the lane, starting at 1.
    package let number: Int

    /// The lane of users who opt out later: their events are not recorded.
    package static let guestLane = 255

    /// Whether the event belongs to a user who has opted out or will opt out.
    package var isGuests: Bool { lane == Self.guestLane }

    /// Creates a token.
    package init(run: Int, lane: Int, number: Int) {
        self.run = run
        self.lane = lane
        self.number = number
    }

    package var description: String { "run \(run) lane \(lane) event \(number)" }

    private var hash: UInt64 {
        SplitMix64.mixed(UInt64(run) &* 0x1_0000_0001 ^ UInt64(lane) << 56 ^ UInt64(number) << 20)
    }

    /// The length of the padding of this token's event: usually short, for one in 64 longer than a page, for one in
    /// 1,024 near the longest accepted line.
    package func paddingLength(isSmall: Bool) -> Int {
        let hash = hash
        if isSmall { return Int(hash % 40) }
        if hash % 1_024 == 0 { return 24_000 }
        if hash % 64 == 0 { return 4_000 + Int(hash >> 32) % 5_000 }
        return Int(hash >> 32) % 300
    }

    /// Padding that is unique to this token's event, so that a changed byte is found.
    package func padding(length: Int) -> String {
        var generator = SplitMix64(seed: hash)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length)
        var random: UInt64 = 0
        for index in 0..<length {
            if index % 12 == 0 { random = generator.next() }
            bytes.append(UInt8(ascii: "a") + UInt8(random % 26))
            random /= 26
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
