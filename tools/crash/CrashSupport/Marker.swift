package import Primitives

/// A text that identifies an event in requests and files: the run, the lane, the number in the lane, and a random number.
package struct Marker: Hashable, Sendable, CustomStringConvertible {
    package static let prefix = "marker-"

    package let run: Int
    package let lane: Int
    package let number: Int
    private let random: UInt64

    /// Creates the marker of a new event.
    package init(run: Int, lane: Int, number: Int, using generator: inout SplitMix64) {
        (self.run, self.lane, self.number) = (run, lane, number)
        random = generator.next() | 1 << 63
    }

    /// Reads a marker; nil for another text.
    package init?(_ text: some StringProtocol) {
        guard text.hasPrefix(Self.prefix) else { return nil }
        let parts = text.dropFirst(Self.prefix.count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 4, let run = Int(parts[0]), let lane = Int(parts[1]), let number = Int(parts[2]),
            parts[3].utf8.count == 16, let random = UInt64(parts[3], radix: 16)
        else { return nil }
        (self.run, self.lane, self.number, self.random) = (run, lane, number, random)
    }

    package var description: String { "\(Self.prefix)\(run)-\(lane)-\(number)-\(String(random, radix: 16))" }
}
