internal import EventQuery
internal import JSONLines
internal import TextRendering

/// The outcome of all expectations.
struct AssertionReport {
    let verdicts: [(name: String, verdict: Verdict)]
    let lines: Int

    var isMet: Bool { verdicts.allSatisfy(\.verdict.isMet) }

    /// One line for each expectation.
    var text: [String] {
        verdicts.map { name, verdict in
            guard !verdict.isMet else { return "ok      \(name): \(verdict.found)".printable }
            let location = verdict.location.map { "; nearest line \($0.input):\($0.number)" } ?? ""
            return "FAILED  \(name): expected \(verdict.expected), found \(verdict.found)\(location)".printable
        }
    }

    /// The report as one object. **Frozen**: members are added, never renamed or removed.
    ///
    /// | member | meaning |
    /// |---|---|
    /// | `ok` | whether all expectations are met |
    /// | `lines` | number of lines read |
    /// | `expectations` | in order: `name`, `ok`, `expected` and `found` as text; `input` and `line` of the line \
    /// nearest to the failure (null if there is none; for a database, `line` is the event's number) |
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

    /// A JUnit test suite with a test case for each expectation.
    var junit: [String] {
        var xml = XMLText()
        let failures = verdicts.count { !$0.verdict.isMet }
        let counts = [("tests", "\(verdicts.count)"), ("failures", "\(failures)")]
        xml.element("testsuites", attributes: [("name", "trackctl assert")] + counts) { xml in
            xml.element("testsuite", attributes: [("name", "trackctl assert")] + counts) { xml in
                for (name, verdict) in verdicts {
                    let attributes = [("classname", "trackctl assert"), ("name", name)]
                    guard !verdict.isMet else {
                        xml.element("testcase", attributes)
                        continue
                    }
                    xml.element("testcase", attributes: attributes) { xml in
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

/// A line to check. It is parsed in full only when an expectation needs that.
final class AssertedLine {
    let event: EventLine
    let location: Location
    private lazy var whole = Result { () throws(JSONSyntaxError) in try JSONParser.parse(event.bytes) }

    struct Location {
        let input: String
        /// From 1; in a database, the event's number.
        let number: Int64
    }

    init(_ event: EventLine, at location: Location) {
        self.event = event
        self.location = location
    }

    /// The parsed line. It is parsed once.
    ///
    /// - Throws: `JSONSyntaxError` if the line's content is not JSON.
    func parsed() throws(JSONSyntaxError) -> JSONValue { try whole.get() }
}

/// The outcome of an expectation.
struct Verdict {
    let isMet: Bool
    /// As text: `at least 1 line`.
    let expected: String
    /// As text: `3 lines`.
    let found: String
    /// The line nearest to the failure, if there is one.
    var location: AssertedLine.Location?
    /// Whether no further line can meet the expectation.
    var isFinal = false
}

/// Checks lines for one expectation.
protocol ExpectationCheck: AnyObject {
    /// Checks a line that the expectation selects.
    ///
    /// - Throws: `JSONSyntaxError` if the line must be parsed in full and is not JSON; ``CommandFailure``, `usage`,
    ///   if a limit is exceeded.
    func take(_ line: AssertedLine) throws

    /// The outcome so far.
    func verdict() -> Verdict
}
