internal import Primitives

/// What makes each event of the harness one of a kind: which run sent it, on which lane, as which of its events.
package struct Token: Hashable, Sendable, CustomStringConvertible {
    /// The run of a sender; no two in one log have the same.
    package let run: Int
    /// The sending thread within the run, from 0.
    package let lane: Int
    /// The event within the lane, from 1.
    package let number: Int

    /// The lane of users who opt out again: nobody takes notes of their events.
    package static let guestLane = 255

    /// Whether it is of a user who has opted out, or is about to.
    package var isGuests: Bool { lane == Self.guestLane }

    /// Makes a token.
    package init(run: Int, lane: Int, number: Int) {
        self.run = run
        self.lane = lane
        self.number = number
    }

    package var description: String { "run \(run) lane \(lane) event \(number)" }

    private var hash: UInt64 {
        SplitMix64.mixed(UInt64(run) &* 0x1_0000_0001 ^ UInt64(lane) << 56 ^ UInt64(number) << 20)
    }

    /// How long the padding of this token's event is: mostly short, one in 64 over a page, one in 1,024 near the
    /// longest line that is taken.
    package func paddingLength(isSmall: Bool) -> Int {
        let hash = hash
        if isSmall { return Int(hash % 40) }
        if hash % 1_024 == 0 { return 24_000 }
        if hash % 64 == 0 { return 4_000 + Int(hash >> 32) % 5_000 }
        return Int(hash >> 32) % 300
    }

    /// Text that only this token's event has: an altered byte shows.
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
