import CommandRunner
import Foundation
import Testing

@Suite("trackctl validate and its threads")
struct TrackctlValidateJobsTests {
    private let folder: TrackctlFolder
    /// Some chunks of lines: valid ones, with errors of every kind in between.
    private static let lines: String = {
        var random = SeededGenerator(seed: 7)
        let long = String(repeating: "x", count: 40_000)
        var text = ""
        for number in 0..<1200 {
            switch Int.random(in: 0..<160, using: &random) {
            case 0: text += PlannedLine(name: "unknown-\(number % 50)").text
            case 1: text += PlannedLine.search("").text
            case 2: text += PlannedLine(name: "launch", value: "{\"p\(number)\":1}").text
            case 3: text += "{\(number)"
            case 4: text += long
            case 5: text += String(repeating: long, count: 10)
            case 6: text += PlannedLine(time: "\(number).0000001").text
            case 7: text += ""
            default: text += PlannedLine.search("\(number)", time: "\(1_536_753_247 + number)").text
            }
            text += "\n"
        }
        return text + "{"
    }()

    init() throws { folder = try TrackctlFolder() }

    private func validate(_ arguments: [String], stdin: [UInt8] = []) async throws -> CommandResult {
        try await trackctl(["validate", "--schemas", TrackctlValidateTests.schemas] + arguments, stdin: stdin)
    }

    @Test("Any number of threads writes the same bytes", arguments: ["text", "json", "junit"])
    func sameBytes(format: String) async throws {
        let file = try folder.file("a.jsonl", Self.lines)
        let one = try await validate([file, file, "--format", format, "--jobs", "1"])
        #expect(one.exitCode == 1 && one.stdout.count > 1000)
        for jobs in ["2", "5"] {
            let result = try await validate([file, file, "--format", format, "--jobs", jobs])
            #expect(result.stdout == one.stdout)
        }
    }

    @Test("The same holds for gzip and standard input, whose blocks end elsewhere")
    func otherInputs() async throws {
        let plain = try folder.file("a.jsonl", Self.lines)
        let packed = try folder.file("a.gz", try await gzip(Self.lines))
        let expected = try await validate([plain, "--format", "json"]).text
        for jobs in ["1", "2"] {
            let unpacked = try await validate([packed, "--format", "json", "--jobs", jobs])
            #expect(unpacked.text.replacing(packed, with: plain) == expected)
            let piped = try await validate(["-", "--format", "json", "--jobs", jobs], stdin: Array(Self.lines.utf8))
            #expect(piped.text.replacing("<stdin>", with: plain) == expected)
        }
    }

    @Test("--max-errors stops after exactly that many invalid lines", arguments: [1, 7, 40])
    func maximum(errors: Int) async throws {
        let file = try folder.file("a.jsonl", Self.lines)
        let one = try await validate([file, "--max-errors", "\(errors)", "--format", "json", "--jobs", "1"])
        #expect(one.text.contains(#""invalid":\#(errors),"#))
        #expect(one.text.contains(#""stopped":true,"ungrouped":0,"unplanned":0,"unused":[],"#))
        #expect(one.exitCode == 1)
        for jobs in ["2", "5"] {
            let other = try await validate([file, "--max-errors", "\(errors)", "--format", "json", "--jobs", jobs])
            #expect(other.stdout == one.stdout)
        }
        let text = try await validate([file, "--max-errors", "\(errors)"]).text
        #expect(
            text.contains(
                "\nstopped after \(errors) invalid line\(errors == 1 ? "" : "s") (--max-errors): the rest was not read")
        )
    }

    @Test("--max-errors stops before the next input, and does not report its errors")
    func maximumInputs() async throws {
        let file = try folder.file("a.jsonl", Self.lines)
        let torn = try folder.file("b.gz", try await gzip(Self.lines).dropLast(9))
        let arguments = [file, torn, folder("none"), "--max-errors", "3", "--format", "json", "--jobs"]
        let one = try await validate(arguments + ["1"])
        #expect(one.exitCode == 1 && one.stderr == "")
        for jobs in ["2", "3", "8"] { #expect(try await validate(arguments + [jobs]).stdout == one.stdout) }
        let inside = try await validate([torn, "--max-errors", "3", "--jobs", "8"])
        #expect(inside.exitCode == 1 && inside.stderr == "")
    }

    @Test("Lines beyond the last group are still a failure, whatever comes first")
    func ungroupedFailures() async throws {
        let unknown = try folder.file("many.jsonl", (0..<2000).map { PlannedLine(name: "e\($0)") }.text)
        let invalid = try folder.file("few.jsonl", [PlannedLine(time: "1.1234567")].text)
        for inputs in [[unknown, invalid], [invalid, unknown]] {
            let result = try await validate(inputs + ["--fail-on", "invalid", "--format", "junit"])
            #expect(result.exitCode == 1)
        }
        let together = try folder.file(
            "all.jsonl", try String(contentsOfFile: unknown, encoding: .utf8) + [PlannedLine(time: "1.1234567")].text)
        let junit = try await validate([together, "--fail-on", "invalid", "--format", "junit"])
        #expect(junit.exitCode == 1 && junit.text.contains(#"type="invalid-container""#))
        let github = try await validate([together, "--fail-on", "invalid", "--format", "github"])
        #expect(github.text.hasSuffix("and 1 more: only the first 2,000 kinds are listed\n"))
    }

    @Test("Names of 30 KB do not fill the memory or the page")
    func longNames() async throws {
        let lines = (0..<100).map { number in
            PlannedLine(name: "search", value: #"{"\#(String(repeating: "n", count: 30_000))\#(number)":1}"#)
        }.text
        let result = try await validate(["-", "--format", "json"], stdin: Array(lines.utf8))
        #expect(result.exitCode == 1 && result.stdout.count < 10_000)
        #expect(result.text.contains("…"))
    }

    @Test("Errors that never repeat are counted beyond the limit, for any number of threads")
    func groups() async throws {
        let lines = (0..<2050).map { PlannedLine(name: "e\($0)") }.text
        let results = try await [1, 2].asyncMap { jobs in
            try await validate(["-", "--format", "json", "--jobs", "\(jobs)"], stdin: Array(lines.utf8)).text
        }
        #expect(results[0] == results[1])
        #expect(results[0].contains(#""ungrouped":50,"#))
    }
}

extension Array {
    /// Maps one after the other.
    func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
