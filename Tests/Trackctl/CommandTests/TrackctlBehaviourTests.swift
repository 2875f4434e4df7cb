import CommandRunner
import Foundation
import Testing

@Suite("trackctl behaviour")
struct TrackctlBehaviourTests {
    private let folder: TrackctlFolder

    init() throws { folder = try TrackctlFolder() }

    private func behaviour(_ arguments: String..., stdin: [UInt8] = []) async throws -> CommandResult {
        try await trackctl(["behaviour"] + arguments, stdin: stdin)
    }

    /// The stream of a run in which a test passed and another one was skipped.
    static let stream = """
        {"kind":"test","payload":{"displayName":"The basket","id":"ShopTests.BasketTests","kind":"suite","name":"BasketTests",\
        "sourceLocation":{"column":2,"fileID":"ShopTests/BasketTests.swift","line":3}},"version":0}
        {"kind":"test","payload":{"_testCases":[{"displayName":"1"},{"displayName":"30"}],"displayName":"its total is shown",\
        "id":"ShopTests.BasketTests/total(of:)/BasketTests.swift:5:6","isParameterized":true,"kind":"function",\
        "name":"total(of:)","sourceLocation":{"column":6,"fileID":"ShopTests/BasketTests.swift","line":5}},"version":0}
        {"kind":"test","payload":{"id":"ShopTests.BasketTests/wrapsGifts()/BasketTests.swift:7:6","isParameterized":false,\
        "kind":"function","name":"wrapsGifts()","sourceLocation":{"column":6,"fileID":"ShopTests/BasketTests.swift","line":7}},\
        "version":0}
        {"kind":"event","payload":{"kind":"runStarted","messages":[]},"version":0}
        {"kind":"event","payload":{"kind":"testSkipped","testID":"ShopTests.BasketTests/wrapsGifts()/BasketTests.swift:7:6"},\
        "version":0}
        {"kind":"event","payload":{"kind":"testEnded","testID":"ShopTests.BasketTests/total(of:)/BasketTests.swift:5:6"},\
        "version":0}
        {"kind":"event","payload":{"kind":"testEnded","testID":"ShopTests.BasketTests"},"version":0}
        {"kind":"event","payload":{"kind":"runEnded","messages":[]},"version":0}

        """

    private static let page = """
        <!-- Written by `trackctl behaviour`: edits are overwritten. -->

        # Behaviour

        Each sentence is the name of a test. The test passed unless marked otherwise.

        ## The basket

        - its total is shown: `1`, `30`
        - wraps gifts — **skipped**

        """

    @Test("The page goes to standard output, or replaces an older one in a file")
    func output() async throws {
        let stream = try folder.file("tests.jsonl", Self.stream)
        let shown = try await behaviour(stream)
        #expect(shown.text == Self.page && shown.stderr == "" && shown.exitCode == 0)
        let piped = try await behaviour("-", "--title", "A *shop*", "--no-cases", stdin: Array(Self.stream.utf8))
        #expect(
            piped.text
                == Self.page.replacing("# Behaviour", with: #"# A \*shop\*"#).replacing(": `1`, `30`", with: ""))
        for title in ["Behaviour", "What the shop does", "Behaviour"] {
            let written = try await behaviour(stream, "-o", folder("page.md"), "--title", title)
            #expect(written.exitCode == 0 && written.text == "" && written.stderr == "")
            #expect(folder.bytes("page.md") == Array(Self.page.replacing("# Behaviour", with: "# \(title)").utf8))
        }
        #expect(try folder.names() == ["page.md", "tests.jsonl"])
    }

    @Test("A file that is not such a page is not replaced")
    func otherFile() async throws {
        let stream = try folder.file("tests.jsonl", Self.stream)
        let notes = try folder.file("notes.md", "# Notes\n")
        let result = try await behaviour(stream, "-o", notes)
        #expect(
            result.stderr
                == "trackctl: \(notes) was not written by trackctl behaviour: move it, or choose another file\n")
        #expect(result.exitCode == 65)
        #expect(folder.bytes("notes.md") == Array("# Notes\n".utf8))
        #expect(try await behaviour(stream, "-o", folder("none/page.md")).exitCode == 74)
        #expect(try await behaviour(stream, "-o", folder.path).exitCode == 64)
        #expect(try await behaviour(stream, "--check", folder.path).exitCode == 74)
        #expect(try folder.names() == ["notes.md", "tests.jsonl"])
    }

    @Test("A check passes for the page of these tests, and reports where another differs")
    func check() async throws {
        let stream = try folder.file("tests.jsonl", Self.stream)
        let page = try folder.file("page.md", Self.page)
        let same = try await behaviour(stream, "--check", page)
        #expect(same.exitCode == 0 && same.text == "" && same.stderr == "")
        let advice = "run the same command with -o instead of --check, and commit the page\n"
        for (old, new, line) in [("wraps gifts", "wraps presents", 10), ("gifts — **skipped**\n", "gifts", 10)] {
            let stale = try folder.file("stale.md", Self.page.replacing(old, with: new))
            let result = try await behaviour(stream, "--check", stale)
            #expect(
                result.stderr == "trackctl: \(stale):\(line): the page differs from the tests from here on: \(advice)")
            #expect(result.exitCode == 1 && result.text == "")
            #expect(folder.bytes("stale.md") == Array(Self.page.replacing(old, with: new).utf8))
        }
        let missing = try await behaviour(stream, "--check", folder("none.md"))
        #expect(missing.stderr == "trackctl: cannot open \(folder("none.md")): no such file; \(advice)")
        #expect(missing.exitCode == 1)
    }

    @Test(
        "An incomplete stream is rejected, with the line and a correction",
        arguments: [
            ("", "1: the event stream is empty: run the tests again"),
            ("{}\n", "1: \(noStream)"), (stream + "x\n", "9:1: expected a value; \(noStream)"),
            (
                stream.replacing(#"0}\#n{"kind":"event""#, with: #"1}\#n{"kind":"event""#),
                "3: unsupported version of the event stream: run swift test with --event-stream-version 0"
            ),
            (
                stream.split(separator: "\n").dropLast().joined(separator: "\n") + "\n",
                "7: the test run did not finish: run the tests again"
            ),
            (String(stream.dropLast()), "8:1: torn write: the last line has no line feed"),
        ])
    func refused(text: String, issue: String) async throws {
        let file = try folder.file("x.jsonl", text)
        let result = try await behaviour(file, "-o", folder("page.md"))
        #expect(result.stderr == "trackctl: \(file):\(issue)\n")
        #expect(result.exitCode == 65 && result.text == "")
        #expect(try folder.names() == ["x.jsonl"])
    }

    private static let noStream =
        "not a line of Swift Testing's event stream: write one with swift test --event-stream-output-path FILE"

    @Test("A missing file, and no test for a filter, are errors")
    func nothing() async throws {
        let stream = try folder.file("tests.jsonl", Self.stream)
        #expect(try await behaviour(folder("none.jsonl")).exitCode == 66)
        let none = try await behaviour(stream, "--filter", "ShopTests.Basket", "--filter", "Shop")
        #expect(
            none.stderr
                == "trackctl: no tests of ShopTests.Basket, Shop in \(stream): run swift test list for the names\n")
        #expect(none.exitCode == 65)
        #expect(try await behaviour(stream, "--filter", "ShopTests.BasketTests").text == Self.page)
        let end = try folder.file("end.jsonl", Self.stream.split(separator: "\n").suffix(1).joined() + "\n")
        let empty = try await behaviour(end)
        #expect(
            empty.stderr
                == "trackctl: no tests in \(end): check the --filter of swift test\n")
        #expect(empty.exitCode == 65)
    }
}
