import CommandRunner
import Foundation
import Testing

@Suite("trackctl and numbers at the ends of their range")
struct TrackctlHostileNumbersTests {
    private let folder: TrackctlFolder

    init() throws { folder = try TrackctlFolder() }

    /// Lines of so many installs that the sum of their missing numbers exceeds 64 bits; each with the lowest and the highest number and time that a log can give.
    private func extremes(installs: Int = 1100) throws -> String {
        let lines = (0..<installs).flatMap { install in
            [(1, "-9223372036854"), (9_007_199_254_740_991, "9223372036854")].map { seq, time in
                """
                {"id":"018f3c00-0000-7000-8000-00000000000\(seq & 1)","install_id":"i\(install)","seq":\(seq),\
                "session_id":"s","user_id":"u\(install)","time":\(time),"event":{"name":"launch"}}

                """
            }
        }
        return try folder.file("extremes.jsonl", lines.joined())
    }

    @Test(
        "The figures of any log are shown, without a trap",
        arguments: [
            ["stats"], ["stats", "--json"], ["stats", "--by", "hour"], ["stats", "--by", "minute", "--json"],
            ["stats", "--by", "day", "--format", "csv"], ["report"],
            ["report", "--funnel", "launch > launch", "--within", "1h"], ["merge"],
            ["replay", "--dry-run", "--speed", "1x"],
            ["dump", "-o", "table"], ["dump", "-f", "%{time:rfc3339} %{time:hour}"],
        ])
    func figures(arguments: [String]) async throws {
        let result = try await trackctl(arguments + [try extremes()])
        #expect(result.exitCode == 0, "\(result.stderr.prefix(500))")
        #expect(!result.stdout.isEmpty)
    }

    @Test("More missing numbers than JSON can hold exactly are shown as the maximum")
    func gaps() async throws {
        let spec = try folder.file("spec.json", #"{"expectations":{"numbers":{"gaps":false}}}"#)
        let result = try await trackctl(["assert", spec, try extremes()])
        #expect(result.exitCode == 1 && result.text.contains("9,007,199,254,740,991 numbers missing"))
    }

    @Test("A number that no log assigns is malformed", arguments: ["0", "-1", "9007199254740992"])
    func noNumbers(seq: String) async throws {
        let line = TrackctlLine(1).text.replacing("\"seq\":1,", with: "\"seq\":\(seq),")
        for (command, reason) in [("stats", "'seq' is missing"), ("merge", "not between 1 and 2^53 - 1")] {
            let result = try await trackctl([command, "-"], stdin: Array((line + "\n").utf8))
            #expect(result.exitCode == 65)
            #expect(result.stderr.contains(reason))
        }
    }
}
