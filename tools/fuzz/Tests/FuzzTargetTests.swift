import Foundation
import Testing

#if FUZZ_TARGETS_ARE_A_MODULE
    import FuzzTargets
#endif

/// Runs the fuzz targets with their seeds and with inputs that once failed.
@Suite("Fuzz targets")
struct FuzzTargetTests {
    @Test("pass for every seed, and for some truncated seeds", arguments: FuzzTargets.names)
    func seeds(name: String) async throws {
        let target = try #require(try FuzzTargets.make(name))
        let seeds = try target.seeds()
        // A seed of a client is a whole request.
        #expect(seeds.count > (target is ClientsTarget ? 1 : 40))
        for (number, seed) in seeds.enumerated() {
            let cut = number.isMultiple(of: 8) ? [Array(seed.prefix(seed.count / 2)), Array(seed.dropLast())] : []
            for input in [seed] + cut {
                await #expect(throws: Never.self, "\(seed)") { try await run(target, input) }
            }
        }
    }

    @Test("pass for every stored case", arguments: FuzzTargets.names)
    func cases(name: String) async throws {
        let target = try #require(try FuzzTargets.make(name))
        for (file, bytes) in try FuzzFiles.cases(of: name) {
            await #expect(throws: Never.self, "\(file)") { try await run(target, bytes) }
        }
    }

    /// On its own thread: targets wait for tasks, which need the threads of Swift's pool.
    private func run(_ target: any FuzzTarget, _ input: [UInt8]) async throws {
        nonisolated(unsafe) let target = target  // Used by one thread at a time.
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try input.withUnsafeBytes { try target.run($0) } })
            }
        }
    }
}
