internal import EventQuery
internal import JSONLines

/// A line that expectations look at; parsed whole only if one asks for it.
final class AssertedLine {
    let event: EventLine
    let place: Place
    /// Nil for a line that is no JSON inside.
    private(set) lazy var value: JSONValue? = try? JSONParser.parse(event.bytes)  // such a line matches nothing

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
}
