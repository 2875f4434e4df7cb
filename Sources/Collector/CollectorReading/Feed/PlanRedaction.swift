internal import EventFormats
package import EventModel
internal import PlanPages
package import TrackingPlan

/// Which values of events a plan marks as personal (`x-pii`). The page shows `[redacted]` for them and rejects
/// filters on them, because a filter would reveal a value by what it matches.
///
/// An event that has no schema shows all values: a plan can't mark what it doesn't know. An unknown version of an
/// event is redacted like the newest known version.
package struct PlanRedaction: Sendable {
    /// By schema reference; without a redactor, the event has no personal value.
    private let redactors: [String: LineRedactor?]
    /// The newest version of each event.
    private let newest: [String: String]
    private let personal: Set<EventPath>

    package init(_ plan: EventPlan) {
        var redactors = [String: LineRedactor?]()
        var personal = Set<EventPath>()
        for (reference, properties) in PropertyFacts.all(in: plan) {
            let paths = properties.filter { $0.personal != nil }.map { Self.path($0.path) }
            personal.formUnion(paths)
            redactors[reference] = .some(
                paths.isEmpty ? nil : LineRedactor(paths.map { RedactionRule($0, .mask) }))
        }
        self.redactors = redactors
        self.personal = personal
        newest = Dictionary(
            plan.newest.map { ($0.name, $0.reference) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the line with its personal values replaced.
    ///
    /// - Parameters:
    ///   - schema: The line's schema, such as `search/1-0-0`.
    ///   - isValidated: Whether the line was found valid, so that it need not be checked again.
    /// - Throws: `JSONSyntaxError` if the line is not a JSON object with unique names.
    func redacted(_ line: [UInt8], schema: String, isValidated: Bool) throws -> [UInt8] {
        let known = redactors[schema] ?? newest[String(schema.prefix { $0 != "/" })].flatMap { redactors[$0] }
        if isValidated, case .some(nil) = known { return line }
        return try ((known ?? nil) ?? LineRedactor([])).redacted(line)
    }

    /// Whether no event has a personal value.
    var isEmpty: Bool { personal.isEmpty }

    /// Whether a path leads to a personal value of any event, into one, or to a value that contains one.
    package func isPersonal(_ path: EventPath) -> Bool {
        personal.contains { marked in
            zip(marked.steps, path.steps).allSatisfy { $0 == $1 || $0 == .any || $1 == .any }
        }
    }

    /// Converts the path of a property to a path of the line.
    private static func path(_ property: String) -> EventPath {
        var steps: [EventPath.Step] = [.name(Array("event".utf8))]
        for part in property.split(separator: ".", omittingEmptySubsequences: false) {
            // Indexes follow a name: `pages[]`, `pages[0]`.
            let pieces = part.split(separator: "[", omittingEmptySubsequences: false)
            let name = pieces[0]
            if name == "*" || name.hasPrefix("/") {
                steps.append(.any)
            } else if !name.isEmpty {
                steps.append(.name(Array(name.utf8)))
            }
            for index in pieces.dropFirst() { steps.append(Int(index.dropLast()).map { .element($0) } ?? .any) }
        }
        return EventPath(steps: steps, description: "event.\(property)")
    }
}
