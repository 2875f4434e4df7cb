/// Says where a pattern stops being a regular expression, and why.
struct PatternSyntaxError: Error, Equatable {
    /// The place in the pattern, in bytes of UTF-8.
    let offset: Int
    let reason: String
}
