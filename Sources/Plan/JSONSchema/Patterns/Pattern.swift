/// A regular expression of ECMA-262 in Unicode mode, compiled once to search many texts.
///
/// Without lookaround and backreferences, most patterns become a table that needs one lookup per byte, and the others
/// are searched in time proportional to the length of the text. Searching is thread-safe.
final class Pattern: Sendable {
    let source: String
    enum Matcher {
        /// The fastest matcher for the pattern.
        case best
        /// A specific matcher, if it supports the pattern, else the fastest.
        case table, steps, backtracking
    }

    private let table: StateTable?
    /// The program, if there is no table.
    private let program: PatternProgram?
    private let backtracks: Bool

    /// Compiles a pattern.
    ///
    /// Throws `PatternSyntaxError` if the pattern is not a regular expression, or is too large.
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

    /// The matcher that is used.
    var matcher: Matcher { table != nil ? .table : backtracks ? .backtracking : .steps }

    /// Returns whether the pattern matches anywhere in a text, as `RegExp.prototype.test` does.
    ///
    /// The text must be valid UTF-8. `steps` is the work that the search may do, and afterwards the rest of it: about
    /// one step per instruction that a matcher visits. The table matcher needs no steps.
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

/// The result of a search.
enum PatternOutcome {
    case found
    case notFound
    /// The search ran out of steps.
    case exhausted
}

struct PatternSyntaxError: Error, Equatable {
    /// The offset in the pattern, in bytes of UTF-8.
    let offset: Int
    let reason: String
}

enum PatternLimits {
    /// The maximum nesting of groups.
    static let depth = 250
    /// The maximum number of instructions, with counted repetitions expanded.
    static let instructions = 50_000
    /// The maximum number of states in a table. A pattern that needs more is searched without a table.
    static let states = 1_000
    /// The maximum number of entries in a table, so that the start of a row fits in 16 bits.
    static let locations = 65_536
    /// The maximum work for building a table, in visited instructions.
    static let tableWork = 500_000
    /// The maximum number of character sets and of classes in a table.
    static let sets = 255
    /// The maximum number of saved alternatives, so that a search has bounded memory.
    static let alternatives = 500_000
}
