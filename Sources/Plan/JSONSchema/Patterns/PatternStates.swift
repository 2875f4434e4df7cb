/// A pattern as a state table over characters, for generated code. Searches use the same table.
package struct PatternStates: Sendable {
    /// The reason why a pattern has no such table.
    package struct Unsupported: Error {
        /// The reason, as a clause.
        package let reason: String

        package init(reason: String) { self.reason = reason }
    }

    /// The state without any possible match.
    package static let dead = 0
    /// The state of a final match.
    package static let matched = 1

    /// The start of each run of characters in one class, and its class. The first run starts at 0.
    package let runs: [(start: UInt32, class: Int)]
    /// The next state, by state and class.
    package let next: [[Int]]
    /// Whether a text that ends in the state matches, by state.
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
    package init(_ source: String) throws(Unsupported) {
        let program: PatternProgram
        do throws(PatternSyntaxError) { program = try ProgramWriter.program(source) } catch {
            throw Unsupported(reason: "invalid regular expression: \(error.reason), at byte \(error.offset)")
        }
        guard !program.needsBacktracking else {
            throw Unsupported(reason: "lookaround and backreferences are not supported")
        }
        guard let states = StateTableBuilder.states(program) else {
            throw Unsupported(reason: "it needs too many states")
        }
        self = states
    }
}
