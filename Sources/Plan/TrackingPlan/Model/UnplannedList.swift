package import JSONSchema

/// The events that an app may send without a schema, as listed in `x-unplanned` of `unplanned.json`, next to `events/`.
///
/// ```json
/// {
///   "x-unplanned": {
///     "promo-shown": { "description": "A banner of the autumn sale.", "until": "2027-01-31" }
///   }
/// }
/// ```
///
/// Only the envelope of these events is checked, and they never count as valid. A plan without the file allows none.
package struct UnplannedList: Hashable, Sendable {
    /// The path of the file within the folder of a plan.
    package static let path = "unplanned.json"

    package struct Event: Hashable, Sendable {
        /// The name on the wire, in kebab-case.
        package let name: String
        /// What happened.
        package let description: String
        /// The last day on which the event may have no schema, `2027-01-31`; nil for no limit.
        package let until: String?

        /// The name of the generated type; nil if the event's name gives none.
        package var typeName: String? { SwiftName.type(name) }
        /// The name of the generated factory; nil if the event's name gives none.
        package var factoryName: String? { SwiftName.member(name) }
    }

    /// The events, in the order of the file.
    package let events: [Event]

    /// Returns whether the list has an event with a name.
    package func allows(_ name: String) -> Bool { events.contains { $0.name == name } }

    /// Returns issues for events in the list that have a schema, or whose names cannot be Swift types.
    ///
    /// - Parameter planned: The names of the events that have a schema.
    package func issues(planned: Set<String>, in document: JSONDocument) -> [PlannedPagesIssue] {
        events.compactMap { event in
            let pointer = JSONPointer(["x-unplanned", event.name])
            let offset = document.root[pointer: pointer.description]?.offset ?? document.root.offset
            func issue(_ message: String) -> PlannedPagesIssue {
                PlannedPagesIssue(offset: offset, pointer: pointer, message: message)
            }
            if planned.contains(event.name) { return issue("\(event.name) has a schema: remove it from \(Self.path)") }
            guard let type = event.typeName, let factory = event.factoryName, SwiftName.isMember(factory),
                !SwiftName.usedTypes.contains(type)
            else { return issue("\(event.name) cannot be a type in Swift: choose another name") }
            return nil
        }
    }
}
