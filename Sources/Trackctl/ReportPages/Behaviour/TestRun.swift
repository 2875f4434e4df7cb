package import JSONLines

/// What Swift Testing's streams say of the tests that ran: `swift test --event-stream-output-path FILE`. The order of a
/// stream's lines does not matter; memory follows the number of tests, not that of lines.
///
/// The form is described in swift-testing, `Documentation/ABI/JSON.md`: version 0 and those of Swift 6 are read.
package struct TestRun {
    private var records: [String: TestRecord] = [:]
    private var events: [String: TestEvents] = [:]
    /// Whether the stream that is read has said that its run is over; nil before its first record.
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
        // A reader should pass over the kinds that it does not know.
        default: break
        }
    }

    /// Ends a stream; another may follow.
    ///
    /// - Throws: ``TestRunError``: `empty`, or `unfinished` for one whose run did not come to its end.
    package mutating func endStream() throws(TestRunError) {
        guard let isOver else { throw TestRunError(.empty) }
        guard isOver else { throw TestRunError(.unfinished) }
        self.isOver = nil
    }

    /// The tests by target and suite, in the order of the sources.
    ///
    /// - Parameter filters: `ShopTests`, or `ShopTests.BasketTests/Empty`: only what stands in one of them. All, if there are
    ///   none.
    package func targets(within filters: [String] = []) -> [BehaviourSuite] {
        var targets: [String: SuiteBuilder] = [:]
        for (id, record) in records {
            // Suites around what is wanted give it their names.
            guard record.isSuite || filters.isEmpty || filters.contains(where: record.path.isWithin) else { continue }
            let outcome = events[id, default: TestEvents()].outcome
            targets[record.path.module, default: SuiteBuilder(name: record.path.module)]
                .add(record, outcome, at: record.path.names[...])
        }
        return targets.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { $1.suite(title: $0) }
            .filter { !$0.isEmpty }
    }
}

/// A stream of tests that cannot be read.
package struct TestRunError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    package enum Reason: Hashable, Sendable {
        /// A line is no record of Swift Testing.
        case notAStream
        /// A line is of a version that is not known here.
        case otherVersion
        /// There is no line.
        case empty
        /// The run did not come to its end.
        case unfinished
    }

    /// What is wrong.
    package let reason: Reason

    /// Makes an error.
    package init(_ reason: Reason) { self.reason = reason }

    /// What is wrong and what to do.
    package var description: String {
        switch reason {
        case .notAStream:
            "this is no line of Swift Testing's event stream: write one by swift test --event-stream-output-path FILE"
        case .otherVersion:
            "this event stream is of another version: write it by swift test --event-stream-version 0"
        case .empty: "there is nothing in this event stream: run the tests again"
        case .unfinished: "the run of the tests did not come to its end: run them again"
        }
    }
}

/// What a stream says of a test or a suite while it runs.
struct TestEvents: Hashable {
    private var hasEnded = false
    private var hasFailed = false
    private var hasKnownIssue = false
    private var isSkipped = false
    private var reason: String?

    /// Takes an event of this test; most kinds say nothing of how it ends.
    mutating func add(_ payload: JSONValue) {
        switch payload["kind"]?.stringValue {
        case "testEnded": hasEnded = true
        case "testSkipped", "testCancelled":
            isSkipped = true
            if case .array(let comments)? = payload["_comments"] { reason = comments.first?.stringValue ?? reason }
        case "issueRecorded":
            // Version 0 leaves warnings out, and so it need not say which issue is a failure.
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

/// What a stream says of a test or a suite before it runs.
struct TestRecord: Hashable {
    let path: TestPath
    let isSuite: Bool
    /// The display name, or the words of the name in the code.
    let sentence: String
    let location: SourcePosition
    /// The values of a test with parameters, in the order of the code. Streams of other versions than 0 have none.
    let cases: [String]

    /// Nil for what does not say where it stands.
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
        // A test that was not made by a macro may have no identifier of its file.
        guard let file = (json["fileID"] ?? json["filePath"])?.stringValue, let line = json["line"]?.integerValue,
            let column = json["column"]?.integerValue
        else { return nil }
        self.init(file: file, line: line, column: column)
    }
}

/// What became of a test in a run.
package enum TestOutcome: Hashable, Sendable {
    case passed
    /// An issue was recorded that nobody expected.
    case failed
    /// Only issues that the test says are known.
    case knownIssue
    /// It was disabled, or cancelled itself; with the reason, if one is given.
    case skipped(reason: String?)
    /// The run did not come to it.
    case notRun
}
