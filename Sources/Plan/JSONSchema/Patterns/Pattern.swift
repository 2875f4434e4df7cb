/// A regular expression of ECMA-262 in Unicode mode, compiled once to search many texts.
///
/// Without a look around and a reference back, most become a table that is searched at one look-up a byte, and the
/// others are searched in time that grows with the text's length. Any thread may search at any time.
final class Pattern: Sendable {
    /// The pattern as it is written.
    let source: String
    /// Which matcher searches.
    enum Matcher {
        /// The fastest that the pattern allows.
        case best
        /// Each of them if the pattern allows it, else the best.
        case table, steps, backtracking
    }

    private let table: StateTable?
    /// The program, if there is no table.
    private let program: PatternProgram?
    private let backtracks: Bool

    /// Compiles a pattern.
    ///
    /// Throws `PatternSyntaxError` if the pattern is no regular expression, or too large.
    convenience init(_ source: String) throws(PatternSyntaxError) {
        try self.init(source, matcher: .best)
    }

    /// Compiles a pattern for one of the matchers, to compare them.
    init(_ source: String, matcher: Matcher) throws(PatternSyntaxError) {
        self.source = source
        let program = try ProgramWriter.program(source)
        let table = matcher == .best || matcher == .table ? StateTableBuilder.table(program) : nil
        self.table = table
        self.program = table == nil ? program : nil
        backtracks = program.needsBacktracking || matcher == .backtracking
    }

    deinit { table?.deallocate() }

    /// The matcher that searches.
    var matcher: Matcher { table != nil ? .table : backtracks ? .backtracking : .steps }

    /// Tells whether the pattern matches anywhere in a text, as `RegExp.prototype.test` does.
    ///
    /// The text is valid UTF-8. `steps` is how much work the search may take, and what is left of it afterwards: a step
    /// is about an instruction that a matcher other than the table visits; the table needs none.
    @inline(__always)
    func search(_ text: UnsafeBufferPointer<UInt8>, steps: inout Int) -> PatternOutcome {
        if let table { return table.search(text) ? .found : .notFound }
        return searchWithoutTable(text, steps: &steps)
    }

    @inline(never)
    private func searchWithoutTable(_ text: UnsafeBufferPointer<UInt8>, steps: inout Int) -> PatternOutcome {
        guard let program else { return .notFound }
        if backtracks { return Backtracker.search(program, text, steps: &steps) }
        return StepSimulation(program: program).search(text, steps: &steps)
    }
}

/// What a search ended with.
enum PatternOutcome {
    case found
    case notFound
    /// The steps that the search was allowed ran out before it could tell.
    case exhausted
}

/// Says where a pattern stops being a regular expression, and why.
struct PatternSyntaxError: Error, Equatable {
    /// The place in the pattern, in bytes of UTF-8.
    let offset: Int
    let reason: String
}

/// How big a pattern may get.
enum PatternLimits {
    /// How deep groups may nest.
    static let depth = 250
    /// How many instructions a pattern may need, its counted repetitions written out.
    static let instructions = 50_000
    /// How many states a table may have; a pattern that needs more is searched without one.
    static let states = 1_000
    /// How many places a table may have, so that a row's start fits in 16 bits.
    static let locations = 65_536
    /// How much work may go into building a table, in visits of instructions.
    static let tableWork = 500_000
    /// How many sets of characters, and how many classes, a table may tell apart.
    static let sets = 255
    /// How many ways back a search may keep, so that its memory stays bounded.
    static let waysBack = 500_000
}
