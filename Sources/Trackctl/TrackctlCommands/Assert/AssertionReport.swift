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
            let place = verdict.place.map { "; nearest line \($0.input):\($0.number)" } ?? ""
            return "FAILED  \(name): expected \(verdict.expected), found \(verdict.found)\(place)".printable
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
                        "input": verdict.place.map { .string($0.input) } ?? .null,
                        "line": verdict.place.map { .integer($0.number) } ?? .null,
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
                            text: verdict.place.map { "\($0.input):\($0.number)" } ?? "")
                    }
                }
            }
        }
        return xml.lines
    }
}
