import CollectorFixtures
import DeliveryProtocol
import EventModel
import Foundation
import Testing

@testable import CollectorIntake
@testable import CollectorStore

/// The result of an intake: accepted lines as `seq line text`, with the suffix `unvalidated`; rejected lines as `line code seq`.
struct Judged: Equatable, CustomStringConvertible {
    var accepted: [String]
    var rejected: [String]
    var description: String { "accepted \(accepted), rejected \(rejected)" }

    init(accepted: [String] = [], rejected: [String] = []) { (self.accepted, self.rejected) = (accepted, rejected) }

    init(_ submission: Submission) {
        let text = { (range: Range<Int>) in String(decoding: submission.body[range], as: UTF8.self) }
        accepted = submission.lines.map { line in
            "\(line.facts.seq) \(line.number) \(text(line.bytes))\(line.facts.isValidated ? "" : " unvalidated")"
        }
        rejected = submission.rejected.map { line in
            "\(line.rejection.line) \(line.rejection.code) \(line.rejection.seq.map { "\($0)" } ?? "-") \(text(line.bytes))"
        }
    }
}

@Suite("Validating the lines of a request")
struct IntakeTests {
    private let sender = SendingInstall("install-a")
    private let schemas: SchemaKeeper

    init() throws { schemas = try SchemaKeeper(folder: nil) }

    private func submission(
        _ body: [UInt8], unknown: Intake.UnknownSchemas = .keep, limits: IntakeLimits = .init(),
        key: String? = nil, mayImport: Bool = false
    ) throws(DeliveryProblem) -> Submission {
        try Intake(schemas, limits: limits, unknown: unknown).submission(
            of: body,
            .init(
                idempotencyKey: key, receivedAt: EventTime(seconds: 100), sentAt: EventTime(seconds: 99),
                mayImport: mayImport))
    }

    private func judged(
        _ lines: [String], _ seqs: ClosedRange<Int64>, unknown: Intake.UnknownSchemas = .keep
    ) throws -> Judged {
        Judged(try submission(SendingInstall.body([sender.header(1, seqs)] + lines), unknown: unknown))
    }

    private func problem(
        _ body: String, limits: IntakeLimits = .init(), key: String? = nil, mayImport: Bool = false
    ) -> DeliveryProblem? {
        do throws(DeliveryProblem) {
            _ = try submission(Array(body.utf8), limits: limits, key: key, mayImport: mayImport)
            return nil
        } catch { return error }
    }

    @Test("Valid lines are accepted with their exact bytes and the store's facts")
    func valid() throws {
        let lines = (1...3).map { sender.line($0) }
        let found = try submission(SendingInstall.body([sender.header(1, 1...3)] + lines))
        let accepted = lines.enumerated().map { "\($0 + 1) \($0 + 2) \($1)" }
        #expect(Judged(found) == Judged(accepted: accepted))
        #expect(found.installID == "install-a")
        #expect(found.receivedAt == EventTime(seconds: 100) && found.sentAt == EventTime(seconds: 99))
        #expect(found.users == ["user-1"] && found.schemas == ["search/1-0-0"])
        #expect(found.lines.map(\.facts.time) == [1, 2, 3].map { (1_700_000_000 + $0 as Int64) * 1_000_000 })
        #expect(found.header?.secret == sender.secret && found.header?.seqs == 1...3)
    }

    @Test("Spaces, escapes and the order of members are accepted and preserved")
    func exactBytes() throws {
        let line = sender.line(1)
        let spaced = " " + line.replacing(#""v":1,"#, with: "\t\"v\" : 1 ,  ") + "  "
        let turned = sender.line(2).replacing(#""v":1,"#, with: "").replacing("}}}", with: #"}},"v":1}"#)
        let escaped = sender.line(3, query: #"\u0073wift \"\ud83d\ude00\" é"#)
        #expect(
            try judged([spaced, turned, escaped], 1...3)
                == Judged(accepted: ["1 2 \(spaced)", "2 3 \(turned)", "3 4 \(escaped)"]))
    }

    @Test("Escapes in install_id and user_id are decoded")
    func escapedIDs() throws {
        let users = [#"user-1"#, #"us\u0065r-1"#, #"us\u0065r-1"#, #"user \u00e9"#, "user é", #"user-\"1\""#]
        let lines = users.enumerated().map { index, user in
            sender.line(Int64(index + 1)).replacing(#""user-1""#, with: "\"\(user)\"")
                .replacing("install-a", with: index % 2 == 0 ? "install-a" : #"install\u002da"#)
        }
        let found = try submission(SendingInstall.body([sender.header(1, 1...6)] + lines))
        #expect(found.rejected.map(\.rejection.message) == [])
        #expect(found.users == ["user-1", "user é", #"user-"1""#])
        #expect(
            found.lines.map { found.users[$0.facts.user] } == [
                "user-1", "user-1", "user-1", "user é", "user é", #"user-"1""#,
            ])
    }

    @Test("CRLF, empty lines and a missing last line feed change no line")
    func lineEnds() throws {
        let lines = (1...3).map { sender.line($0) }
        let body = "\(sender.header(1, 1...3))\r\n\r\n\(lines[0])\r\n\n\(lines[1])\n\n\r\n\(lines[2])"
        #expect(
            Judged(try submission(Array(body.utf8)))
                == Judged(accepted: ["1 3 \(lines[0])", "2 5 \(lines[1])", "3 8 \(lines[2])"]))
    }

    @Test("Empty lines before the header count as lines")
    func emptyLinesFirst() throws {
        let body = "\n\r\n\(sender.header(1, 1...2))\n\(sender.line(1))\nbad\n"
        #expect(
            Judged(try submission(Array(body.utf8)))
                == Judged(accepted: ["1 4 \(sender.line(1))"], rejected: ["5 syntax 2 bad"]))
    }

    @Test("Lines out of order are sorted by number")
    func order() throws {
        let lines = [5, 1, 4, 2, 3].map { sender.line($0) }
        #expect(
            try judged(lines, 1...5)
                == Judged(
                    accepted: [
                        "1 3 \(lines[1])", "2 5 \(lines[3])", "3 6 \(lines[4])", "4 4 \(lines[2])",
                        "5 2 \(lines[0])",
                    ]))
    }

    @Test("Each kind of invalid line is rejected with code, number and bytes; other lines are accepted")
    func codes() throws {
        let bad: [(line: String, rejected: String)] = [
            (#"{"v":1,"#, "syntax 2"),
            (sender.line(3).replacing("user_id", with: "usr_id"), "envelope 3"),
            (sender.line(4).replacing(#""page":1"#, with: #""page":0"#), "schema 4"),
            (sender.line(5).replacing(#"{"name":"search""#, with: #"{"name":"launch""#), "schema 5"),
            (sender.line(6, query: String(repeating: "x", count: 33 << 10)), "too-large 6"),
            (sender.line(7).replacing("install-a", with: "install-b"), "wrong-install -"),
            (sender.line(100), "out-of-range -"),
            (sender.line(1), "repeated -"),
        ]
        for (index, bad) in bad.enumerated() {
            // The number of the bad line is missing from its neighbours, if it is one of them.
            let seq = bad.rejected.split(separator: " ").last.flatMap { Int64($0) }
            let neighbours = (1...10).filter { $0 != seq }
            var lines = neighbours.map { sender.line($0) }
            let position = min(index + 1, lines.count)
            lines.insert(bad.line, at: position)
            let found = try judged(lines, 1...10)
            let code = bad.rejected.split(separator: " ")
            #expect(found.rejected == ["\(position + 2) \(code[0]) \(code[1]) \(bad.line)"], "\(bad.rejected)")
            #expect(
                found.accepted
                    == neighbours.enumerated().map { location, seq in
                        "\(seq) \(location < position ? location + 2 : location + 3) \(sender.line(seq))"
                    }, "\(bad.rejected)")
        }
    }

    @Test("A rejection has pointers into the line and the schema, and the event's id")
    func rejection() throws {
        let line = sender.line(1).replacing(#""page":1"#, with: #""page":0"#)
        let found = try submission(SendingInstall.body([sender.header(1, 1...1), line]))
        let rejection = try #require(found.rejected.first?.rejection)
        #expect(rejection.id == "0190b5a0-0000-7000-8000-000000000001")
        #expect(rejection.instancePath == "/event/value/page")
        #expect(rejection.schemaPath == "/properties/value/properties/page/minimum")
        #expect(!rejection.message.isEmpty)
    }

    @Test("Of two lines with the same number in a request, the first is accepted")
    func repeated() throws {
        let (first, second) = (sender.line(2), sender.line(2, query: "other"))
        #expect(
            try judged([sender.line(3), first, second, sender.line(1)], 1...3)
                == Judged(
                    accepted: ["1 5 \(sender.line(1))", "2 3 \(first)", "3 2 \(sender.line(3))"],
                    rejected: ["4 repeated - \(second)"]))
    }

    @Test("Unreadable lines get the remaining numbers, if there are equally many")
    func unreadable() throws {
        #expect(
            try judged([sender.line(1), "bad", sender.line(3), #"{"v":1}"#, sender.line(5)], 1...5).rejected
                == ["3 syntax 2 bad", #"5 envelope 4 {"v":1}"#])
    }

    @Test("Unreadable lines get no numbers if the counts differ")
    func notAsMany() throws {
        #expect(try judged([sender.line(1), "bad"], 1...5).rejected == ["3 syntax - bad"])
        #expect(
            try judged([sender.line(1), "bad", "worse"], 1...2).rejected == ["3 syntax - bad", "4 syntax - worse"])
    }

    @Test("Numbers explained by the header are not assigned to unreadable lines")
    func explained() throws {
        let header = sender.header(1, 1...5, missing: [.init(2...3, .erased)])
        let found = try submission(SendingInstall.body([header, sender.line(1), "bad", sender.line(5)]))
        #expect(Judged(found).rejected == ["3 syntax 4 bad"])
    }

    @Test("A line with an unknown member, a newer version or an unknown event is stored as unvalidated")
    func newer() throws {
        let lines = [
            sender.line(1).replacing(#"{"v":1,"#, with: #"{"v":1,"trace":"x","#),
            sender.line(2).replacing(#"{"v":1,"#, with: #"{"v":2,"trace":{"a":1},"#),
            sender.line(3).replacing("search/1-0-0", with: "checkout/1-0-0").replacing(
                #""name":"search""#, with: #""name":"checkout""#),
            sender.line(4).replacing("search/1-0-0", with: "search/1-0-9"),
        ]
        #expect(
            try judged(lines + [sender.line(5)], 1...5)
                == Judged(
                    accepted: lines.enumerated().map { "\($0 + 1) \($0 + 2) \($1) unvalidated" }
                        + ["5 6 \(sender.line(5))"]))
        let refused = try judged(lines + [sender.line(5)], 1...5, unknown: .refuse)
        #expect(refused.accepted == ["5 6 \(sender.line(5))"])
        #expect(
            refused.rejected == [
                "2 envelope 1 \(lines[0])", "3 envelope 2 \(lines[1])", "4 unknown-schema 3 \(lines[2])",
                "5 unknown-schema 4 \(lines[3])",
            ])
    }

    @Test("Unknown members do not hide other errors", arguments: [1, 3, 10, 100])
    func nothingHides(count: Int) throws {
        let members = (1...count).map { #""x\#($0)":1,"# }.joined()
        for broken in [#""page":0"#, #""page":1,"other":1"#] {
            let line = sender.line(1).replacing(#"{"v":1,"#, with: #"{"v":1,"# + members)
                .replacing(#""page":1"#, with: broken)
            #expect(try judged([line], 1...1).accepted == [])
        }
        let line = sender.line(1).replacing(#"{"v":1,"#, with: #"{"v":1,"# + members)
            .replacing(#""session_id":"0190B5A0"#, with: #""session_id":"z"#)
        #expect(try judged([line], 1...1).accepted == [])
    }

    @Test("Errors in known members are rejected, even in a newer line")
    func newerAndWrong() throws {
        let lines = [
            sender.line(1).replacing(#"{"v":1,"#, with: #"{"v":1,"trace":"x","#)
                .replacing(#""time":1700000001"#, with: #""time":"now""#),
            sender.line(2).replacing(#"{"v":1,"#, with: #"{"v":2,"#).replacing(#""user_id":"user-1","#, with: ""),
            sender.line(3).replacing(#""v":1"#, with: #""v":0"#),
        ]
        let found = try judged(lines, 1...3)
        #expect(found.accepted == [])
        #expect(found.rejected.map { $0.prefix(10) } == ["2 envelope", "3 envelope", "4 envelope"])
    }

    @Test("An unreadable request is malformed, with the reason")
    func malformed() {
        #expect(problem("")?.code == .malformed)
        #expect(problem("\n\r\n\n")?.code == .malformed)
        #expect(problem("no json\n\(sender.line(1))")?.code == .malformed)
        let header = problem(sender.header(1, 1...2).replacing(#""first":1"#, with: #""first":0"#))
        #expect(header?.code == .malformed)
        #expect(header?.detail.hasPrefix("line 1: /batch/first") == true)
    }

    @Test("Lines without a header are an import, which needs the admin token")
    func imported() throws {
        let lines = [sender.line(7), sender.line(3)]
        #expect(problem(lines.joined(separator: "\n"))?.code == .forbidden)
        let found = try submission(SendingInstall.body(lines), mayImport: true)
        #expect(found.installID == "install-a" && found.header == nil)
        #expect(Judged(found) == Judged(accepted: ["3 2 \(lines[1])", "7 1 \(lines[0])"]))
    }

    @Test("An import without a valid line is stored as rejected lines, if one names its install")
    func invalidImport() throws {
        let line = sender.line(7).replacing("\"page\":1", with: "\"page\":\"one\"")
        let found = try submission(SendingInstall.body(["bad", line]), mayImport: true)
        #expect(found.installID == "install-a")
        #expect(Judged(found) == Judged(accepted: [], rejected: ["1 syntax - bad", "2 schema 7 \(line)"]))
        // The number of another install's line explains nothing here.
        let other = line.replacing("install-a", with: "install-b")
        for lines in [[line, other], [other, sender.line(8)]] {
            let mixed = try submission(SendingInstall.body(lines), mayImport: true)
            #expect(mixed.installID == "install-a")
            #expect(mixed.rejected.compactMap(\.rejection.seq) == (lines[0] == line ? [7] : []))
        }
        let error = problem("bad\n", mayImport: true)
        #expect(error?.detail.contains("line 1: expected a value") == true, "\(error?.detail ?? "")")
    }

    @Test("The first readable line determines an import's install; other installs are rejected")
    func importedInstall() throws {
        let other = SendingInstall("install-b").line(2)
        let found = try submission(
            SendingInstall.body(["bad", sender.line(1), other, sender.line(3)]), mayImport: true)
        #expect(
            Judged(found)
                == Judged(
                    accepted: ["1 2 \(sender.line(1))", "3 4 \(sender.line(3))"],
                    rejected: ["1 syntax - bad", "3 wrong-install - \(other)"]))
        #expect(problem("bad\nworse\n", mayImport: true)?.code == .malformed)
    }

    @Test("U+0000 is rejected in each text of a line; an escaped backslash is none, and other controls in a user stay")
    func nulls() throws {
        let lines = [
            sender.line(1, query: #"a\u0000"#), sender.line(2, query: #"\\u0000"#),
            sender.line(3).replacing("user-1", with: #"u\u0000"#),
            sender.line(4).replacing("user-1", with: #"u\u001b\u0085"#),
            sender.line(5, query: #"\\\u0000"#),
        ]
        #expect(
            try judged(lines, 1...5)
                == Judged(
                    accepted: ["2 3 \(lines[1])", "4 5 \(lines[3])"],
                    rejected: [
                        "2 envelope 1 \(lines[0])", "4 envelope 3 \(lines[2])", "6 envelope 5 \(lines[4])",
                    ]))
        let imported = try submission(SendingInstall.body([sender.line(7), lines[0]]), mayImport: true)
        #expect(imported.lines.map(\.facts.seq) == [7] && imported.rejected.count == 1)
    }

    @Test("Control characters are rejected in the ids of installs, in reasons, and in names of newer envelopes")
    func controls() throws {
        for control in [#"\u0000"#, #"\u0001"#, #"\n"#, "\u{7F}", "\u{85}"] {
            func with(_ text: String, _ body: String) -> String { body.replacing(text, with: text + control) }
            let header = sender.header(
                1, 1...1, missing: [.init(1...1, .dropped)], ledger: [.init(reason: "runaway", seqs: 1...1, count: 1)])
            #expect(problem(header) == nil)
            #expect(problem(with("install-a", header))?.code == .malformed)
            #expect(problem(with("runaway", header))?.code == .malformed)
            #expect(problem(with("install-a", sender.line(1)), mayImport: true)?.code == .malformed)
            let newer = sender.line(1).replacing(#""v":1"#, with: #""v":2"#)
            #expect(try judged([newer], 1...1).accepted.count == 1)
            for line in [with(#""schema":"search"#, newer), with(#""name":"search"#, newer)] {
                #expect(try judged([line], 1...1) == Judged(rejected: ["2 envelope 1 \(line)"]))
            }
        }
    }

    @Test("An Idempotency-Key that differs from the batch's id is rejected")
    func idempotencyKey() throws {
        let body = String(decoding: sender.body(1, 1...1), as: UTF8.self)
        #expect(problem(body, key: Phone.id(2))?.code == .malformed)
        #expect(try submission(Array(body.utf8), key: Phone.id(1)).lineCount == 1)
    }

    @Test("The maximum number of events is accepted, one more is rejected; empty lines don't count")
    func maximumEvents() throws {
        var limits = IntakeLimits()
        limits.maximumEvents = 3
        let three = "\n\n" + String(decoding: sender.body(1, 1...3), as: UTF8.self) + "\n\n"
        #expect(try submission(Array(three.utf8), limits: limits).lineCount == 3)
        let four = String(decoding: sender.body(1, 1...4), as: UTF8.self)
        #expect(problem(four, limits: limits)?.code == .tooLarge)
        // Rejected lines count, too.
        #expect(problem(three + "bad", limits: limits)?.code == .tooLarge)
    }

    @Test("A batch header over one of its limits is rejected with a problem that names the limit")
    func headerLimits() throws {
        let ranges = (1...1001).map { BatchHeader.MissingRange(Int64(2 * $0)...Int64(2 * $0), .held) }
        let row = BatchHeader.LedgerRow(reason: "evicted", seqs: 1...3000, count: 1)
        func problem(_ missing: Int, _ rows: Int, reason: String = "evicted") -> DeliveryProblem? {
            var row = row
            row.reason = reason
            return self.problem(
                sender.header(
                    1, 1...3000, missing: Array(ranges.prefix(missing)), ledger: Array(repeating: row, count: rows)))
        }
        #expect(problem(1000, 0) == nil && problem(0, 1000) == nil)
        for (found, limit) in [
            (problem(1001, 0), "1000 ranges"), (problem(0, 1001), "1000 ledger rows"),
            (problem(0, 600, reason: String(repeating: "r", count: 64)), "65536 bytes"),
        ] {
            #expect(found?.code == .tooLarge && found?.detail.contains(limit) == true, "\(limit)")
        }
    }

    @Test("A batch of 2,500 lines with different users is accepted")
    func manyUsers() throws {
        let sender = SendingInstall("install-a") { "user-\($0)" }
        let found = try submission(sender.body(1, 1...2500))
        #expect(found.lineCount == 2500 && found.users.count == 2500)
        #expect(found.lines.allSatisfy { found.users[$0.facts.user] == "user-\($0.facts.seq)" })
    }
}
