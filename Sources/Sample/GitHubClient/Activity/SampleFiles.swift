internal import Foundation
internal import Primitives
public import TrackingCore

/// The small session that ships with the sample.
public enum SampleFiles {
    /// The path of the activity records.
    ///
    /// - Throws: ``MissingSample`` if the program was moved away from its resources.
    public static func activity() throws -> String { try path("sample-activity") }

    /// The path of the repositories.
    ///
    /// - Throws: ``MissingSample``, like ``activity()``.
    public static func repositories() throws -> String { try path("sample-repositories") }

    private static func path(_ name: String) throws -> String {
        guard let url = Bundle.module.url(forResource: name, withExtension: "jsonl") else {
            throw MissingSample(name: name)
        }
        return url.path
    }
}

/// The error if the program was moved away from its resources.
public struct MissingSample: Error, CustomStringConvertible {
    /// The file's name without its extension.
    public let name: String

    /// The problem, and what to do.
    public var description: String {
        "cannot find the sample file \(name).jsonl next to the program; pass a file with --activity"
    }
}

/// Generates identifiers from a seed: the same seed gives the same identifiers on every machine and in every run.
public final class SeededTrackingIDs: TrackingIDs {
    private let random: Locked<SplitMix64>

    /// Creates a generator.
    ///
    /// - Parameter seed: Any text; generators with different seeds give different identifiers.
    public init(seed: String) {
        // FNV-1a spreads the text over 64 bits. http://www.isthe.com/chongo/tech/comp/fnv/
        let hash: UInt64 = seed.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        random = Locked(SplitMix64(seed: hash))
    }

    public func eventID(at time: EventTime) -> EventID {
        EventID(milliseconds: time.milliseconds, counter: UInt16(truncatingIfNeeded: next()), random: next())
    }

    public func uuid() -> String {
        // Version 4 and the variant, as in a random UUID.
        let high = next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        return EventID(high: high, low: next() >> 2 | 1 << 63).description.uppercased()
    }

    private func next() -> UInt64 { random.withLock { $0.next() } }
}
