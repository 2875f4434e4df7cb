import CommandRunner
import Foundation
import Testing

@Suite("trackctl and recorded data")
struct TrackctlRealDataTests {
    private static let shared =
        ProcessInfo.processInfo.environment["TRACKING_SHARED"]
        ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../shared").path

    @Test("An hour of activity that is no log is refused line by line, each with its place")
    func activity() async throws {
        let input = "\(Self.shared)/data/github-activity-2015-01-01T00.jsonl.gz"
        guard FileManager.default.fileExists(atPath: input) else {
            return print("skipped 1 test: there is no recorded activity; set TRACKING_SHARED to its folder")
        }
        let result = try await runCommand("trackctl", ["dump", input])
        let faults = result.stderr.split(separator: "\n")
        let places = faults.dropLast().enumerated().map { "\(input):\($0.offset + 1):1: not a tracking container:" }
        #expect(zip(faults, places).allSatisfy { $0.hasPrefix($1) })
        #expect(faults.count > 1000)
        #expect(faults.last?.hasSuffix("faulty lines were left out") == true)
        #expect(result.exitCode == 65)
    }
}
