internal import TextRendering
internal import TrackingPlan

extension ValidationReport {
    /// The findings as JUnit XML: a suite for each input with a test case for each event, and a suite for the plan
    /// with the events never seen.
    var junit: [String] {
        var xml = XMLText()
        let suites = inputs.map(suite) + (unused.isEmpty ? [] : [unusedSuite])
        xml.element("testsuites", attributes: [("name", "trackctl validate")] + Suite.counts(suites.flatMap(\.cases))) {
            xml in
            for suite in suites { suite.write(to: &xml) }
        }
        return xml.lines
    }

    private struct Case {
        enum Outcome: String { case passed, failure, error, skipped }

        let name: String
        var outcome = Outcome.passed
        var type = ""
        var message = ""
        /// One finding per line.
        var details = ""
    }

    private struct Suite {
        let name: String
        let cases: [Case]

        static func counts(_ cases: [Case]) -> [(String, String)] {
            func count(_ outcome: Case.Outcome) -> String { String(cases.count { $0.outcome == outcome }) }
            return [
                ("tests", String(cases.count)), ("failures", count(.failure)), ("errors", count(.error)),
                ("skipped", count(.skipped)),
            ]
        }

        func write(to xml: inout XMLText) {
            xml.element("testsuite", attributes: [("name", name)] + Self.counts(cases)) { xml in
                for test in cases {
                    let attributes = [("classname", name), ("name", test.name)]
                    guard test.outcome != .passed || !test.details.isEmpty else {
                        xml.element("testcase", attributes)
                        continue
                    }
                    xml.element("testcase", attributes: attributes) { xml in
                        switch test.outcome {
                        case .passed: xml.element("system-out", text: test.details)
                        case .skipped: xml.element("skipped", [("message", test.message)])
                        case .failure, .error:
                            xml.element(
                                test.outcome.rawValue, [("type", test.type), ("message", test.message)],
                                text: test.details)
                        }
                    }
                }
            }
        }
    }

    private func suite(_ input: Input) -> Suite {
        let groups = Dictionary(grouping: Self.sorted(input.findings.groups), by: \.key.event)
        var cases = rows(of: input.findings).map { testCase($0, groups[$0.event] ?? []) }
        if let failure = input.failure {
            cases.append(Case(name: "(input)", outcome: .error, type: "unreadable-input", message: failure))
        }
        return Suite(name: input.name, cases: cases)
    }

    private func testCase(_ row: Row, _ groups: [FindingGroup]) -> Case {
        let details = groups.map { group in
            "\(text(group.sample)): \(group.key.kind.rawValue): \(group.key.shortSentence) "
                + "(\(group.count == 1 ? "once" : "\(group.count.grouped) times"))"
        }
        var test = Case(name: row.event ?? "(none)", details: details.joined(separator: "\n"))
        let failing = groups.first { failOn.classes.contains(FindingClass($0.key.kind)) }?.key.kind
        // Findings beyond the last group are also failures.
        guard let kind = failing ?? failOn.firstFailure(in: row.tally) else { return test }
        test.outcome = .failure
        test.type = kind.rawValue
        test.message = "\(row.tally.invalid.grouped) of \(row.tally.lines.grouped) lines are invalid"
        return test
    }

    private var unusedSuite: Suite {
        Suite(
            name: folder,
            cases: unused.map {
                Case(
                    name: $0.reference, outcome: failsUnused ? .failure : .skipped, type: FindingRule.unused.id,
                    message: FindingRule.unusedMessage($0))
            })
    }
}

/// Writes XML 1.0.
struct XMLText {
    private(set) var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
    private var open: [String] = []

    private var indent: String { String(repeating: "  ", count: open.count) }

    /// Writes an element with the content that `body` writes.
    mutating func element(
        _ name: String, attributes: [(String, String)] = [], _ body: (inout XMLText) -> Void
    ) {
        lines.append("\(indent)<\(name)\(Self.text(attributes))>")
        open.append(name)
        body(&self)
        open.removeLast()
        lines.append("\(indent)</\(name)>")
    }

    /// Writes an element with text; an empty element if the text is empty.
    mutating func element(_ name: String, _ attributes: [(String, String)] = [], text: String = "") {
        let start = "\(indent)<\(name)\(Self.text(attributes))"
        lines.append(text.isEmpty ? "\(start)/>" : "\(start)>\(Self.escape(text))</\(name)>")
    }

    private static func text(_ attributes: [(String, String)]) -> String {
        attributes.map { #" \#($0)="\#(escape($1))""# }.joined()
    }

    /// Escapes text for an element or a double-quoted attribute. Characters that XML cannot contain become U+FFFD.
    static func escape(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "\n", " "..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"...: String(scalar)
            case "\t", "\r": "&#\(scalar.value);"
            default: "\u{FFFD}"
            }
        }.joined()
    }
}
