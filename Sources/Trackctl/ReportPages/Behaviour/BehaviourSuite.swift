/// A suite with all that stands in it, in the order of the sources.
package struct BehaviourSuite: Hashable, Sendable {
    /// Its display name, or the words of its type's name.
    package let title: String
    /// What became of the suite itself: a fault of its set-up, or that it is disabled.
    package let outcome: TestOutcome
    /// The tests of this suite.
    package let tests: [BehaviourTest]
    /// The suites within it.
    package let suites: [BehaviourSuite]
}

extension BehaviourSuite {
    /// Whether there is no test in it.
    package var isEmpty: Bool { tests.isEmpty && suites.allSatisfy(\.isEmpty) }

    /// Whether it, or something in it, has not simply passed.
    package var isMarked: Bool {
        outcome != .passed || tests.contains { $0.outcome != .passed } || suites.contains(where: \.isMarked)
    }
}

/// A test as a sentence.
package struct BehaviourTest: Hashable, Sendable {
    /// Its display name, or the words of its function's name.
    package let sentence: String
    /// What became of it.
    package let outcome: TestOutcome
    /// The values that it was run with, as the stream describes them, in order; none for a test without parameters.
    package let cases: [String]
}

/// A suite while its tests come in any order.
struct SuiteBuilder {
    private let name: String
    private var record: TestRecord?
    private var outcome = TestOutcome.passed
    private var tests: [(location: SourcePosition, test: BehaviourTest)] = []
    private var suites: [String: SuiteBuilder] = [:]

    /// - Parameter name: In the code.
    init(name: String) { self.name = name }

    /// Adds a test, or a suite.
    ///
    /// - Parameter names: Where it stands in this suite; its own name at last. None for this suite itself.
    mutating func add(_ record: TestRecord, _ outcome: TestOutcome, at names: ArraySlice<String>) {
        guard let first = names.first else {
            self.record = record
            // That something was not run is said of tests.
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

    /// Where it begins: where it is declared, or else its first test.
    private var location: SourcePosition? {
        record?.location ?? (tests.map(\.location) + suites.values.compactMap(\.location)).min()
    }

    /// The suite, in the order of the sources.
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
