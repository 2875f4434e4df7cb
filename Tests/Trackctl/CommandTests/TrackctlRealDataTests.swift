import CommandRunner
import Testing

@Suite("trackctl and recorded data")
struct TrackctlRealDataTests {
    @Test(
        "An hour of activity that is not a log is rejected, its first lines each with their location",
        .enabled(if: SharedData.isAvailable, "\(SharedData.requirement)"))
    func activity() async throws {
        let input = SharedData.activity
        let result = try await trackctl(["dump", input])
        let issues = (1...10).map { line in
            "\(input):\(line):1: not a tracking container: 'id' is missing or of the wrong type"
        }
        let rest = ["… and 7,692 more like this", "trackctl: skipped 7,702 malformed lines"]
        #expect(result.stderr.split(separator: "\n").map(String.init) == issues + rest)
        #expect(result.exitCode == 65)
    }
}
