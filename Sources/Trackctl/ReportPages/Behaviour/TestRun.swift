package import JSONLines

/// The outcomes of tests, read from Swift Testing's event streams: `swift test --event-stream-output-path FILE`.
/// Lines may come in any order. Memory grows with the number of tests, not of lines.
///
/// Reads version 0 and the versions of Swift 6 (swift-testing, `Documentation/ABI/JSON.md`).
package struct TestRun {
    private var records: [String: TestRecord] = [:]
    private var events: [String: TestEvents] = [:]
    /// Whether the stream has reported the end of its run; nil before its first record.
    private var isOver: Bool?

    package init() {}

    /// Adds a line of a stream.
    ///
    /// - Throws: ``TestRunError``: `notAStream`, `otherVersion`.
    package mutating func add(_ line: JSONValue) throws(TestRunError) {
        guard let version = line["version"], let kind = line["kind"]?.stringValue, let payload = line["payload"] else {
            throw TestRunError(.notAStream)
        }
        let isRead = version == 0 || version.stringValue?.hasPrefix("6.") ?? false
        guard isRead else { throw TestRunError(.otherVersion) }
        isOver = isOver ?? false
        switch kind {
        case "test":
            guard let id = payload["id"]?.stringValue, let record = TestRecord(payload) else {
                throw TestRunError(.notAStream)
            }
            records[id] = record
        case "event":
            if payload["kind"]?.stringValue == "runEnded" { isOver = true }
            if let id = payload["testID"]?.stringValue { events[id, default: TestEvents()].add(payload) }
        // The format requires readers to ignore unknown kinds.
        default: break
        }
    }

    /// Ends a stream. Another stream can follow.
    ///
    /// - Throws: ``TestRunError``: `empty`, or `unfinished` if the run did not end.
    package mutating func endStream() throws(TestRunError) {
        guard let isOver else { throw TestRunError(.empty) }
        guard isOver else { throw TestRunError(.unfinished) }
        self.isOver = nil
    }

    /// The tests by target and suite, in source order.
    ///
    /// - Parameter filters: Restricts the result to targets or suites: `ShopTests`, `ShopTests.BasketTests/Empty`. If
    ///   empty, returns everything.
    package func targets(within filters: [String] = []) -> [BehaviourSuite] {
        var targets: [String: SuiteBuilder] = [:]
        for (id, record) in records {
            // Keep all suites: the enclosing suites of a match provide headings.
            guard record.isSuite || filters.isEmpty || filters.contains(where: record.path.isWithin) else { continue }
            let outcome = events[id, default: TestEvents()].outcome
            targets[record.path.module, default: SuiteBuilder(name: record.path.module)]
                .add(record, outcome, at: record.path.names[...])
        }
        return targets.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { $1.suite(title: $0) }
            .filter { !$0.isEmpty }
    }
}

/// The error of an event stream that cannot be read.
package struct TestRunError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
        /// A line is not a record of Swift Testing.
        case notAStream
        /// A line has an unsupported version.
        case otherVersion
        /// The stream is empty.
        case empty
        /// The run did not end.
        case unfinished
    }

    package let reason: Reason

    /// Creates an error.
    package init(_ reason: Reason) { self.reason = reason }

    /// The error and its correction.
    package var description: String {
        switch reason {
        case .notAStream:
            "not a line of Swift Testing's event stream: write one with swift test --event-stream-output-path FILE"
        case .otherVersion:
            "unsupported version of the event stream: run swift test with --event-stream-version 0"
        case .empty: "the event stream is empty: run the tests again"
        case .unfinished: "the test run did not finish: run the tests again"
        }
    }
}

struct TestEvents: Hashable {
    private var hasEnded = false
    private var hasFailed = false
    private var hasKnownIssue = false
    private var isSkipped = false
    private var reason: String?

    /// Adds an event of this test. Ignores kinds that do not affect the outcome.
    mutating func add(_ payload: JSONValue) {
        switch payload["kind"]?.stringValue {
        case "testEnded": hasEnded = true
        case "testSkipped", "testCancelled":
            isSkipped = true
            if case .array(let comments)? = payload["_comments"] { reason = comments.first?.stringValue ?? reason }
        case "issueRecorded":
            // Version 0 omits warnings, so it has no `isFailure`.
            if payload["issue"]?["isKnown"] == true {
                hasKnownIssue = true
            } else if payload["issue"]?["isFailure"] != false {
                hasFailed = true
            }
        default: break
        }
    }

    var outcome: TestOutcome {
        if hasFailed { return .failed }
        if isSkipped { return .skipped(reason: reason) }
        if hasKnownIssue { return .knownIssue }
        return hasEnded ? .passed : .notRun
    }
}

/// The declaration of a test or a suite in a stream.
struct TestRecord: Hashable {
    let path: TestPath
    let isSuite: Bool
    /// The display name, or the words of the name in code.
    let sentence: String
    let location: SourcePosition
    /// The arguments of a parameterized test, in source order. Only version 0 has them.
    let cases: [String]

    /// Returns nil for a record without id, location or name.
    init?(_ payload: JSONValue) {
        guard let path = payload["id"]?.stringValue.flatMap(TestPath.init(id:)),
            let location = payload["sourceLocation"].flatMap(SourcePosition.init),
            let name = payload["name"]?.stringValue
        else { return nil }
        self.path = path
        self.location = location
        isSuite = payload["kind"]?.stringValue == "suite"
        sentence = payload["displayName"]?.stringValue ?? (isSuite ? name.title : name.sentence)
        guard case .array(let cases)? = payload["_testCases"] else {
            self.cases = []
            return
        }
        self.cases = cases.compactMap { $0["displayName"]?.stringValue }
    }
}

extension SourcePosition {
    fileprivate init?(_ json: JSONValue) {
        // A test that was not declared by a macro may lack a file id.
        guard let file = (json["fileID"] ?? json["filePath"])?.stringValue, let line = json["line"]?.integerValue,
            let column = json["column"]?.integerValue
        else { return nil }
        self.init(file: file, line: line, column: column)
    }
}

package enum TestOutcome: Hashable, Sendable {
    case passed
    /// An unexpected issue was recorded.
    case failed
    /// Only known issues were recorded.
    case knownIssue
    /// The test was disabled or cancelled itself.
    case skipped(reason: String?)
    /// The run ended before the test.
    case notRun
}
