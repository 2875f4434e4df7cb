internal import EventQuery
internal import JSONLines
internal import TextRendering

/// What came out of all expectations.
struct AssertionReport {
    let verdicts: [(name: String, verdict: Verdict)]
    /// How many lines were looked at.
    let lines: Int

    /// Whether all are met.
    var isMet: Bool { verdicts.allSatisfy(\.verdict.isMet) }

    /// One line for each.
    var text: [String] {
        verdicts.map { name, verdict in
            guard !verdict.isMet else { return "ok      \(name): \(verdict.found)".printable }
            let location = verdict.location.map { "; nearest line \($0.input):\($0.number)" } ?? ""
            return "FAILED  \(name): expected \(verdict.expected), found \(verdict.found)\(location)".printable
        }
    }

    /// One object. **Frozen**: members are added, never renamed or removed.
    ///
    /// | member | what it is |
    /// |---|---|
    /// | `ok` | whether all expectations are met |
    /// | `lines` | how many lines were looked at |
    /// | `expectations` | in their order: `name`, `ok`, `expected` and `found` in words, and `input` and `line` of the \
    /// line that is nearest to what went wrong (null if there is none; of a database, the event's number) |
    var json: JSONValue {
        [
            "ok": .bool(isMet), "lines": .integer(Int64(lines)),
            "expectations": .array(
                verdicts.map { name, verdict in
                    [
                        "name": .string(name), "ok": .bool(verdict.isMet), "expected": .string(verdict.expected),
                        "found": .string(verdict.found),
                        "input": verdict.location.map { .string($0.input) } ?? .null,
                        "line": verdict.location.map { .integer($0.number) } ?? .null,
                    ]
                }),
        ]
    }

    /// A suite with a test case for each.
    var junit: [String] {
        var xml = XMLText()
        let failures = verdicts.count { !$0.verdict.isMet }
        let counts = [("tests", "\(verdicts.count)"), ("failures", "\(failures)")]
        xml.element("testsuites", [("name", "trackctl assert")] + counts) { xml in
            xml.element("testsuite", [("name", "trackctl assert")] + counts) { xml in
                for (name, verdict) in verdicts {
                    let attributes = [("classname", "trackctl assert"), ("name", name)]
                    guard !verdict.isMet else {
                        xml.element("testcase", attributes)
                        continue
                    }
                    xml.element("testcase", attributes) { xml in
                        let message = "expected \(verdict.expected), found \(verdict.found)"
                        xml.element(
                            "failure", [("type", "expectation"), ("message", message)],
                            text: verdict.location.map { "\($0.input):\($0.number)" } ?? "")
                    }
                }
            }
        }
        return xml.lines
    }
}

/// A line that expectations look at; parsed whole only if one asks for it.
final class AssertedLine {
    let event: EventLine
    let location: Location
    private lazy var whole = Result { () throws(JSONSyntaxError) in try JSONParser.parse(event.bytes) }

    /// Where a line stands.
    struct Location {
        let input: String
        /// From 1; of a database, the event's number.
        let number: Int64
    }

    init(_ event: EventLine, at location: Location) {
        self.event = event
        self.location = location
    }

    /// All of the line. It is parsed once.
    ///
    /// - Throws: `JSONSyntaxError` for a line that is no JSON inside: nobody can tell what it holds.
    func parsed() throws(JSONSyntaxError) -> JSONValue { try whole.get() }
}

/// What came out of an expectation.
struct Verdict {
    let isMet: Bool
    /// In words: `at least 1 line`.
    let expected: String
    /// In words: `3 lines`.
    let found: String
    /// The line that is nearest to what went wrong, if there is one.
    var location: AssertedLine.Location?
}

/// Looks at lines for one expectation.
protocol ExpectationCheck: AnyObject {
    /// Looks at a line that is meant.
    ///
    /// - Throws: `JSONSyntaxError` if the line must be parsed whole and is no JSON inside; ``CommandFailure``, `usage`, if
    ///   more must be kept than there is room for.
    func take(_ line: AssertedLine) throws

    /// What came out of it.
    func verdict() -> Verdict
}
