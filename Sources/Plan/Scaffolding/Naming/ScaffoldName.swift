internal import EventModel
internal import TrackingPlan

/// The name of something new, as people type it and as Swift writes it.
package struct ScaffoldName: Hashable, Sendable {
    /// In kebab-case: `checkout-completed`.
    package let text: String
    /// `CheckoutCompleted`.
    let type: String
    /// `checkoutCompleted`, with backticks if it is a keyword.
    let member: String

    /// What messages call it: `event`.
    let noun: String

    /// The member without backticks.
    var bareMember: String { member.filter { $0 != "`" } }

    /// Another name for the same, whose type is free.
    var alternative: String {
        let name = "\(text)-\(noun)"
        let isTaken = SwiftName.type(name).map { TakenType.named($0) != nil } ?? false
        return isTaken ? "app-\(text)" : name
    }

    /// Takes a name in kebab-case.
    ///
    /// - Parameter noun: What messages call it: `event`.
    /// - Throws: ``ScaffoldError``, `invalidName`, with the name that may have been meant.
    package init(_ text: String, of noun: String) throws(ScaffoldError) {
        guard EventName.isValid(text) else {
            throw ScaffoldError(.invalidName, "'\(text)' is no name of \(Self.article(noun)): \(Self.hint(text))")
        }
        guard let type = SwiftName.type(text), let member = SwiftName.member(text), SwiftName.isMember(member),
            !SwiftName.usedTypes.contains(type)
        else {
            throw ScaffoldError(
                .invalidName,
                "'\(text)' is a word that means something else in Swift: choose another name, such as \(text)-\(noun)")
        }
        self.noun = noun
        self.text = text
        self.type = type
        self.member = SwiftName.escaped(member)
    }

    private static func article(_ noun: String) -> String { noun.hasPrefix("e") ? "an \(noun)" : "a \(noun)" }

    private static func hint(_ text: String) -> String {
        guard text.utf8.count <= EventName.maximumLength else {
            return "it has at most \(EventName.maximumLength) characters"
        }
        if let suggestion = NameSuggestion.joined(text, by: "-"), EventName.isValid(suggestion) {
            return "did you mean \(suggestion)?"
        }
        return "write a-z, 0-9 and single hyphens, a letter first, such as checkout-completed"
    }
}
