/// A suite with its tests and nested suites, in source order.
package struct BehaviourSuite: Hashable, Sendable {
    /// The suite's display name, or the words of its type's name.
    package let title: String
    /// The outcome of the suite itself: a failed set-up, or skipped.
    package let outcome: TestOutcome
    package let tests: [BehaviourTest]
    package let suites: [BehaviourSuite]
}

extension BehaviourSuite {
    /// Whether the suite and its nested suites have no tests.
    package var isEmpty: Bool { tests.isEmpty && suites.allSatisfy(\.isEmpty) }

    /// Whether anything in the suite did not pass.
    package var isMarked: Bool {
        outcome != .passed || tests.contains { $0.outcome != .passed } || suites.contains(where: \.isMarked)
    }
}

/// A test as a sentence.
package struct BehaviourTest: Hashable, Sendable {
    /// The test's display name, or the words of its function's name.
    package let sentence: String
    package let outcome: TestOutcome
    /// The arguments of a parameterized test, as the stream describes them, in order.
    package let cases: [String]
}

/// Builds a suite from tests in any order.
struct SuiteBuilder {
    private let name: String
    private var record: TestRecord?
    private var outcome = TestOutcome.passed
    private var tests: [(location: SourcePosition, test: BehaviourTest)] = []
    private var suites: [String: SuiteBuilder] = [:]

    /// - Parameter name: The suite's name in code.
    init(name: String) { self.name = name }

    /// Adds a test, or a suite.
    ///
    /// - Parameter names: The path within this suite, ending with the record's own name. Empty for this suite itself.
    mutating func add(_ record: TestRecord, _ outcome: TestOutcome, at names: ArraySlice<String>) {
        guard let first = names.first else {
            self.record = record
            // "Not run" is shown for tests only.
            self.outcome = outcome == .notRun ? .passed : outcome
            return
        }
        guard names.count > 1 || record.isSuite else {
            tests.append(
                (record.location, BehaviourTest(sentence: record.sentence, outcome: outcome, cases: record.cases)))
            return
        }
        suites[first, default: SuiteBuilder(name: first)].add(record, outcome, at: names.dropFirst())
    }

    /// The suite's declaration, or else its first test.
    private var location: SourcePosition? {
        record?.location ?? (tests.map(\.location) + suites.values.compactMap(\.location)).min()
    }

    /// The suite in source order.
    func suite(title: String? = nil) -> BehaviourSuite {
        let inner = suites.values.map { (location: $0.location, name: $0.name, suite: $0.suite()) }
            .filter { !$0.suite.isEmpty }
            .sorted { left, right in
                guard let first = left.location, let second = right.location, first != second else {
                    return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
                }
                return first < second
            }
        return BehaviourSuite(
            title: title ?? record?.sentence ?? name.title, outcome: outcome,
            tests: tests.sorted { $0.location < $1.location }.map(\.test), suites: inner.map(\.suite))
    }
}
