/// A pattern as a table of states over characters, for code that is generated of it: the table that a search runs.
package struct PatternStates: Sendable {
    /// Why a pattern has no such table.
    package struct Refusal: Error {
        /// As the end of a sentence.
        package let reason: String

        package init(reason: String) { self.reason = reason }
    }

    /// The state that no match follows.
    package static let dead = 0
    /// The state of a match that nothing can change.
    package static let matched = 1

    /// Where each run of characters of one class begins, and its class; the first run begins at 0.
    package let runs: [(start: UInt32, class: Int)]
    /// The next state, by state and class.
    package let next: [[Int]]
    /// Whether a text that ends there matches, by state.
    package let isMatch: [Bool]
    /// The state before the first character.
    package let start: Int

    init(runs: [(start: UInt32, class: Int)], next: [[Int]], isMatch: [Bool], start: Int) {
        self.runs = runs
        self.next = next
        self.isMatch = isMatch
        self.start = start
    }

    /// Compiles a pattern.
    package init(_ source: String) throws(Refusal) {
        let program: PatternProgram
        do throws(PatternSyntaxError) { program = try ProgramWriter.program(source) } catch {
            throw Refusal(reason: "it is no regular expression: \(error.reason), at byte \(error.offset)")
        }
        guard !program.needsBacktracking else {
            throw Refusal(reason: "what looks around or refers to a group needs a search with ways back")
        }
        guard let states = StateTableBuilder.states(program) else { throw Refusal(reason: "it needs too many states") }
        self = states
    }
}
