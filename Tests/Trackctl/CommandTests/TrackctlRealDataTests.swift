import CommandRunner
import Testing

@Suite("trackctl and recorded data")
struct TrackctlRealDataTests {
    @Test(
        "An hour of activity that is no log is refused line by line, each with its place",
        .enabled(if: SharedData.isAvailable, "\(SharedData.requirement)"))
    func activity() async throws {
        let input = SharedData.activity
        let result = try await trackctl(["dump", input])
        let faults = result.stderr.split(separator: "\n")
        let places = faults.dropLast().enumerated().map { "\(input):\($0.offset + 1):1: not a tracking container:" }
        #expect(zip(faults, places).allSatisfy { $0.hasPrefix($1) })
        #expect(faults.count > 1000)
        #expect(faults.last?.hasSuffix("faulty lines were left out") == true)
        #expect(result.exitCode == 65)
    }
}
