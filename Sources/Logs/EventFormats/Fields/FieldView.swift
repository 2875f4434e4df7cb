/// How a field's value is written, after a colon: `time:rfc3339`.
package enum FieldView: String, CaseIterable, Sendable {
    /// As JSON: strings with their quotes, `null` as a word.
    case json
    /// A time in UTC: `2018-09-12T11:54:07.351338Z`.
    case rfc3339
    /// A time's day in UTC: `2018-09-12`.
    case date
    /// A time's hour in UTC: `2018-09-12T11:00:00Z`.
    case hour
    /// The members of an object in one line: `query=flux page=1`.
    case pairs

    /// What it does, in a few words.
    package var summary: String {
        switch self {
        case .json: "as JSON, strings with their quotes"
        case .rfc3339: "a time in UTC, as in 2018-09-12T11:54:07.351338Z"
        case .date: "a time's day in UTC, as in 2018-09-12"
        case .hour: "a time's hour in UTC, as in 2018-09-12T11:00:00Z"
        case .pairs: "an object's members, as in query=flux page=1"
        }
    }
}
