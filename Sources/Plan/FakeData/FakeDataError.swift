/// No fake data can be made.
package struct FakeDataError: Error, Sendable, CustomStringConvertible {
    /// The schema, and the JSON pointer of the part of it that is at fault: `events/search/1-0-0.json#/properties/page`.
    package let place: String
    /// What is wrong and what to do.
    package let reason: String

    package init(place: String, reason: String) {
        self.place = place
        self.reason = reason
    }

    /// Place and reason.
    package var description: String { "\(place): \(reason)" }
}
