import Foundation
import Primitives
import Testing

/// Runs the tests of a suite in random order if the environment variable `TRACKING_SHUFFLE` has a seed. All tests start
/// together, and each yields to the others as often as the seed and its name determine. `tools/bench/run shuffled` does
/// this a hundred times.
// A trait that a suite passes to its tests must be a test trait, too.
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
