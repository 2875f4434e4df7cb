internal import EventQuery
internal import JSONLines

/// A line that expectations look at; parsed whole only if one asks for it.
final class AssertedLine {
    let event: EventLine
    let place: Place
    private lazy var whole = Result { () throws(JSONSyntaxError) in try JSONParser.parse(event.bytes) }

    /// Where a line stands.
    struct Place {
        let input: String
        /// From 1; of a database, the event's number.
        let number: Int64
    }

    init(_ event: EventLine, at place: Place) {
        self.event = event
        self.place = place
    }

    /// All of the line. It is parsed once.
    ///
    /// - Throws: `JSONSyntaxError` for a line that is no JSON inside: nobody can tell what it holds.
    func parsed() throws(JSONSyntaxError) -> JSONValue { try whole.get() }
}
