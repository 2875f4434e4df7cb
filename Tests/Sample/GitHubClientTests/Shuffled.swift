import Foundation
import Primitives
import Testing

/// Runs the tests of a suite in an order of chance, if the environment variable `TRACKING_SHUFFLE` holds a seed: all start
/// together, and each lets the others go first so often as the seed and its own name say. `tools/bench/run shuffled` does so a
/// hundred times.
// What a suite hands down to its tests must be a trait of tests, too.
struct Shuffled: SuiteTrait, TestTrait, TestScoping {
    private static let seed = ProcessInfo.processInfo.environment["TRACKING_SHUFFLE"].flatMap { UInt64($0) }

    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        if let seed = Self.seed, testCase != nil {
            var random = SplitMix64(seed: "\(test.id)".utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
            for _ in 0..<Int.random(in: 0..<100, using: &random) { await Task.yield() }
        }
        try await function()
    }
}

extension Trait where Self == Shuffled {
    static var shuffled: Shuffled { Shuffled() }
}
