import CommandRunner
import Foundation
import Testing

/// The examples in the commands' help and in the article Examples run as shown.
@Suite("trackctl and the examples in its help and in its article", .timeLimit(.minutes(10)))
struct TrackctlExamplesTests {
    private let folder: TrackctlFolder

    init() throws { folder = try TrackctlFolder() }

    @Test("Every example runs")
    func examples() async throws {
        try await makeFiles()
        let help = try await runCommand("trackctl", ["--experimental-dump-help"])
        let root =
            try #require(
                JSONSerialization.jsonObject(with: Data(help.stdout)) as? [String: Any])["command"] as? [String: Any]
        let article = try Self.articleExamples()
        #expect(article.count > 20)
        let examples = Self.examples(try #require(root)) + article
        #expect(examples.count > 90)
        let collector = try await Collector(in: folder)
        let stored = try StoringCollector(.launches(1...20))
        stored.set("/v1/rejects", "")
        for (example, result) in try await run(examples, endpoint: collector.url, stored: stored.url) {
            // A check may have findings, but the call and its files must be valid.
            #expect([0, 1].contains(result.exitCode), "\(example): \(result.exitCode) \(result.stderr)")
        }
    }

    private static func examples(_ command: [String: Any]) -> [String] {
        let lines = (command["discussion"] as? String ?? "").components(separatedBy: "\n\n")[0].split(separator: "\n")
        let own =
            lines.first?.contains("Examples:") == true
            ? lines.dropFirst().map { $0.trimmingCharacters(in: .whitespaces) } : []
        return own + (command["subcommands"] as? [[String: Any]] ?? []).flatMap(examples)
    }

    /// The commands in the article Examples.
    private static func articleExamples() throws -> [String] {
        let path = "Sources/Trackctl/TrackctlCommands/Trackctl.docc/Examples.md"
        let article = try String(contentsOfFile: path, encoding: .utf8)
        return article.split(separator: "\n").filter { $0.hasPrefix("trackctl ") }.map(String.init)
    }

    /// The result of an example.
    private struct Outcome: Decodable {
        let exitCode: Int32
        let stderr: String
    }

    /// Runs each example in a copy of the files, each in a new one; repeated examples run once.
    private func run(
        _ examples: [String], endpoint: String, stored: String
    ) async throws -> [(example: String, outcome: Outcome)] {
        var seen: Set<String> = []
        let examples = examples.filter { seen.insert($0).inserted }
        let lines = examples.map { example in
            // Commands that follow an input, or loop, do not end.
            // A collector's answers to batches are tested by `TrackctlReplayCollectorTests`.
            example.replacing("--to https://collector.example.com", with: "--to \(endpoint)")
                .replacing("https://collector.example.com", with: stored)
                .replacing(/https?:\/\/[a-z.:0-9]+\/e\b/, with: endpoint)
                .replacing("--loop forever", with: "--loop 2")
                .replacing("--wait 30s", with: "--wait 1s")
                .replacing(/^trackctl tail -f/, with: "trackctl tail -f --limit 1")
        }
        let script = try #require(Bundle.module.url(forResource: "Resources/examples", withExtension: "py"))
        let programs = URL(fileURLWithPath: try CommandLocation.path(of: "trackctl")).deletingLastPathComponent().path
        let result = try await runProgram(
            "/usr/bin/env", ["python3", script.path, folder.path, programs],
            stdin: Array(lines.joined(separator: "\n").utf8),
            environment: ["TRACKING_COLLECTOR_TOKEN": StoringCollector.token])
        try #require(result.exitCode == 0, "\(result.stderr)")
        let outcomes = try result.lines.map { try JSONDecoder().decode(Outcome.self, from: Data($0.utf8)) }
        try #require(outcomes.count == examples.count)
        return Array(zip(examples, outcomes)).map { ($0, $1) }
    }

    /// The files of the examples: logs, a plan in a repository with a published version, tests of schemas, a run of tests, a
    /// package.
    private func makeFiles() async throws {
        let repository = FileManager.default.currentDirectoryPath
        let lines = (1...20).map { number in
            var line = PlannedLine.search("swift", page: "\(number)")
            line.seq = number
            return line.text.replacing("-000000000001\",\"install", with: "-0000000001\(number + 10)\",\"install")
                + "\n"
        }
        let events = try folder.file("events.jsonl", lines.joined())
        let tests = try folder.file("tests.jsonl", TrackctlBehaviourTests.stream)
        let script = """
            set -e
            mkdir -p "$1/files/app/logs" "$1/files/home/app/tracking" "$1/files/published" && cd "$1/files/app"
            export PATH="$2:$PATH" HOME="$1/files/home"
            mv "$4" events.jsonl
            gzip -k events.jsonl
            cp events.jsonl monday.jsonl; cp events.jsonl.gz tuesday.jsonl.gz; cp events.jsonl logs/
            mkdir .build && cp events.jsonl .build/encoded-events.jsonl
            trackctl replay events.jsonl --to events.sqlite
            cp events.sqlite "$HOME/app/tracking/"
            cp -R "$3/Schemas" . && cp -R Schemas ../published/
            trackctl schema codegen --output Sources/App/Events
            echo '[{"description":"d","schema":{"type":"string"},"tests":[{"description":"t","data":"x","valid":true}]}]' >my-tests.json
            cp events.jsonl a.jsonl; cp events.jsonl.gz b.jsonl.gz; cp events.jsonl.gz hour.jsonl.gz
            cp events.sqlite phone.sqlite; cp events.sqlite tablet.sqlite; cp events.jsonl.gz tablet.jsonl.gz
            cp events.jsonl recorded.jsonl; cp events.jsonl lines.jsonl; mkdir -p Sources/Examples && cp -R "$3/Sources/Examples/Imports" Sources/Examples/
            cat >map.json <<'END'
            {"install_id": "imported", "time": {"from": "time", "format": "s"}, "user_id": {"from": "user_id"},
             "event": {"from": "event.name"}, "events": {"search": {"name": "search", "value": {
               "query": {"from": "event.value.query"}, "page": {"from": "event.value.page"}}}}}
            END
            (umask 077 && echo admin-token >token)
            echo '{"event":"launch","place":"A/B.swift:3","schema":"launch/1-0-0"}' >matrix.jsonl
            mv "$5" tests.jsonl; trackctl behaviour tests.jsonl --title 'The shop' -o Behaviour.md
            echo '{"expectations": {"searches": {"match": {"event": {"name": "search"}}}}}' >spec.json
            python3 -c 'import json, sys
            print(json.dumps({"line": open("events.jsonl").readline().strip(), "reason": "refused"}))' >out
            mkdir my-schemas
            echo '{"type":"object","required":["id"],"properties":{"id":{"type":"string","format":"uuid"}}}' >order.json
            echo '[.target(name: "App", dependencies: ["Tracking"]), .testTarget(name: "AppTests")]' >Package.swift
            for suite in JSON-Schema-Test-Suite/tests/draft2020-12 tests/draft2020-12/optional/format; do
                mkdir -p "$suite" && cp my-tests.json "$suite/"
            done
            git init -q . && git add Schemas
            git -c user.name=t -c user.email=t@example.com commit -qm one
            git update-ref refs/remotes/origin/main HEAD
            git repack -adq && git prune-packed -q
            git -c user.name=t -c user.email=t@example.com commit -q --allow-empty -m two
            """
        let programs = URL(fileURLWithPath: try CommandLocation.path(of: "trackctl")).deletingLastPathComponent().path
        let made = try await runProgram(
            "/bin/bash", ["-c", script, "-", folder.path, programs, repository, events, tests])
        try #require(made.exitCode == 0, "\(made.stderr)")
    }
}
