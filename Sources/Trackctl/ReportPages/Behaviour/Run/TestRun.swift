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
