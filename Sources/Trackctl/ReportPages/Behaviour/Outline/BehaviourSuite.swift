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
