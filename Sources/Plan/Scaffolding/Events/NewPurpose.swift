internal import EventModel
internal import TrackingPlan

/// The purpose of a new event, as typed on the command line.
package struct NewPurpose: Hashable, Sendable {
    let purpose: Purpose
    /// Why an exempt event is strictly necessary; nil for other purposes.
    let justification: String?

    /// The default: the purpose of events whose schema states none.
    package static let analytics = NewPurpose(.analytics, nil)

    private init(_ purpose: Purpose, _ justification: String?) {
        self.purpose = purpose
        self.justification = justification
    }

    /// Validates a purpose.
    ///
    /// - Parameters:
    ///   - text: The name in kebab-case; nil for analytics.
    ///   - justification: Why an exempt event is strictly necessary; nil for a placeholder.
    ///   - event: The name of the event, for the placeholder.
    /// - Throws: ``ScaffoldError``, `invalidName`.
    package init(_ text: String?, justification: String?, of event: ScaffoldName) throws(ScaffoldError) {
        let name = text ?? Purpose.analytics.name
        guard EventName.isValid(name) else {
            throw ScaffoldError(.invalidName, "invalid purpose '\(name)': \(Self.hint(name))")
        }
        purpose = Purpose(name)
        guard purpose.swiftName != nil else {
            throw ScaffoldError(.invalidName, "the purpose '\(name)' is reserved in Swift: choose another name")
        }
        guard purpose == .exempt else {
            guard justification == nil else {
                throw ScaffoldError(
                    .invalidName,
                    "only events of the purpose \(Purpose.exempt) have a justification: remove it from '\(name)'")
            }
            self.justification = nil
            return
        }
        let words = SingleLine.text(justification ?? "")
        let isMissing = words.isEmpty
        self.justification =
            isMissing ? PlaceholderText.description(of: "why \(event.text) is strictly necessary") : words
    }

    private static func hint(_ name: String) -> String {
        guard name.utf8.count <= EventName.maximumLength else {
            return "use at most \(EventName.maximumLength) characters"
        }
        if let suggestion = NameSuggestion.joined(name, by: "-"), EventName.isValid(suggestion) {
            return "did you mean \(suggestion)?"
        }
        return "use a-z, 0-9 and single hyphens, and start with a letter, such as ads"
    }

    /// The members of the schema as JSON, each followed by a comma; empty for analytics.
    var members: String {
        guard purpose != .analytics else { return "" }
        func member(_ annotation: PlanAnnotation, _ text: String) -> String {
            "\(JSONText.string(annotation.rawValue)): \(JSONText.string(text)),"
        }
        let reason = justification.map { "\n" + member(.purposeJustification, $0) } ?? ""
        return member(.purpose, purpose.name) + reason
    }

    /// Checks that a plan can have the purpose in addition to its own.
    ///
    /// - Throws: ``ScaffoldError``, `invalidName`, if it would be one purpose too many, or has the Swift name of another.
    func requireRoom(in plan: EventPlan) throws(ScaffoldError) {
        let purposes = PlanPurposes(plan.newest.map(\.purpose))
        guard purpose != .exempt, !purposes.all.contains(purpose) else { return }
        let names = purposes.all.map(\.name).joined(separator: ", ")
        guard purposes.all.count < Purpose.maximumCount else {
            throw ScaffoldError(
                .invalidName,
                "the plan has \(purposes.all.count) purposes, and at most \(Purpose.maximumCount) are allowed: use one of "
                    + "\(names) instead of \(purpose)")
        }
        if let other = purposes.all.first(where: { $0.swiftName == purpose.swiftName }) {
            throw ScaffoldError(
                .invalidName, "the purpose \(purpose) has the Swift name of \(other): choose another name")
        }
    }
}
