/// A test as a sentence.
package struct BehaviourTest: Hashable, Sendable {
    /// Its display name, or the words of its function's name.
    package let sentence: String
    /// What became of it.
    package let outcome: TestOutcome
    /// The values that it was run with, as the stream describes them, in order; none for a test without parameters.
    package let cases: [String]
}
