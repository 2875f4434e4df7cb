internal import EventModel
internal import TrackingPlan

/// The name of a new item, as typed on the command line and in Swift.
package struct ScaffoldName: Hashable, Sendable {
    /// The name in kebab-case: `checkout-completed`.
    package let text: String
    /// The type name: `CheckoutCompleted`.
    let type: String
    /// The member name: `checkoutCompleted`, with backticks if it is a keyword.
    let member: String

    /// The kind of item in messages: `event`.
    let noun: String

    /// The member name without backticks.
    var bareMember: String { member.filter { $0 != "`" } }

    /// A similar name whose type is free.
    var alternative: String {
        let name = "\(text)-\(noun)"
        let isTaken = SwiftName.type(name).map { ReservedType.named($0) != nil } ?? false
        return isTaken ? "app-\(text)" : name
    }

    /// Validates a name in kebab-case.
    ///
    /// - Parameter noun: The kind of item in messages: `event`.
    /// - Throws: ``ScaffoldError``, `invalidName`, with a suggestion.
    package init(_ text: String, of noun: String) throws(ScaffoldError) {
        guard EventName.isValid(text) else {
            throw ScaffoldError(.invalidName, "invalid name of \(Self.article(noun)) '\(text)': \(Self.hint(text))")
        }
        guard let type = SwiftName.type(text), let member = SwiftName.member(text), SwiftName.isMember(member),
            !SwiftName.usedTypes.contains(type)
        else {
            throw ScaffoldError(
                .invalidName,
                "'\(text)' is reserved in Swift: choose another name, such as \(text)-\(noun)")
        }
        self.noun = noun
        self.text = text
        self.type = type
        self.member = SwiftName.escaped(member)
    }

    private static func article(_ noun: String) -> String { noun.hasPrefix("e") ? "an \(noun)" : "a \(noun)" }

    private static func hint(_ text: String) -> String {
        guard text.utf8.count <= EventName.maximumLength else {
            return "use at most \(EventName.maximumLength) characters"
        }
        if let suggestion = NameSuggestion.joined(text, by: "-"), EventName.isValid(suggestion) {
            return "did you mean \(suggestion)?"
        }
        return "use a-z, 0-9 and single hyphens, and start with a letter, such as checkout-completed"
    }
}
