/// What came out of an expectation.
struct Verdict {
    let isMet: Bool
    /// In words: `at least 1 line`.
    let expected: String
    /// In words: `3 lines`.
    let found: String
    /// The line that is nearest to what went wrong, if there is one.
    var place: AssertedLine.Place?
}

/// Looks at lines for one expectation.
protocol ExpectationCheck: AnyObject {
    /// Looks at a line that is meant.
    ///
    /// - Throws: `JSONSyntaxError` if the line must be parsed whole and is no JSON inside; ``CommandFailure``, `usage`, if
    ///   more must be kept than there is room for.
    func take(_ line: AssertedLine) throws

    /// What came out of it.
    func verdict() -> Verdict
}
