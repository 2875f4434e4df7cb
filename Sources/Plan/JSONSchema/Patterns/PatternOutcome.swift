/// What a search ended with.
enum PatternOutcome {
    case found
    case notFound
    /// The steps that the search was allowed ran out before it could tell.
    case exhausted
}
