internal import EventModel
internal import TrackingPlan

/// A property of a new event, as typed on the command line: `items:integer=1...999`, `voucher:string?`,
/// `email:string:hash`, `payment:card|invoice`, each with an optional description after a space: `items:integer
/// Articles in the basket.`
package struct NewProperty: Hashable, Sendable {
    /// An invalid property, with advice.
    package struct Issue: Error, CustomStringConvertible {
        package let description: String
    }

    /// The name in snake_case.
    package let name: String
    let type: PropertyType
    let isRequired: Bool
    /// The value of `x-pii` as JSON; nil if none is given.
    private let privacy: String?
    /// The description; nil if none is given.
    private let givenDescription: String?

    /// Parses `name:type`, with an optional range as `=1...999`, `?` after the type for optional properties, `:x-pii`
    /// after that, and a description after the first space.
    ///
    /// - Throws: ``Issue``. The rules of the plan check whether the `x-pii` value makes sense.
    package init(_ text: String) throws(Issue) {
        let end = text.firstIndex(where: \.isWhitespace) ?? text.endIndex
        let description = SingleLine.text(text[end...])
        givenDescription = description.isEmpty ? nil : description
        let declaration = text[..<end]
        let parts = declaration.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count > 1 else {
            throw Issue(
                description: "'\(declaration)' has no type: write name:type, such as items:integer or voucher:string?")
        }
        name = String(parts[0])
        guard PropertyName.isValid(name) else {
            if let meant = Self.withOptionalType(parts) {
                throw Issue(
                    description: "invalid property name '\(name)': put the ? after the type: \(meant)")
            }
            let hint = NameSuggestion.joined(name, by: "_").map { "did you mean \($0)?" }
            throw Issue(
                description:
                    "invalid property name '\(name)': \(hint ?? "use a-z, 0-9 and single _, and start with a letter")"
            )
        }
        isRequired = !parts[1].hasSuffix("?")
        type = try PropertyType(isRequired ? parts[1] : parts[1].dropLast())
        guard parts.count > 2 else {
            // It was not reviewed yet, so it counts as personal.
            privacy = type.isFreeText ? "true" : nil
            countsAsPersonal = type.isFreeText
            return
        }
        let isFlag = parts[2] == "true" || parts[2] == "false"
        guard isFlag || ["drop", "hash"].contains(parts[2]) || parts[2].hasPrefix("truncate:") else {
            throw Issue(
                description:
                    "invalid x-pii value '\(parts[2])': write false if it is not personal, else true, drop, "
                    + "hash or truncate:N")
        }
        privacy = isFlag ? String(parts[2]) : JSONText.string(String(parts[2]))
    }

    /// Returns `voucher:string?` for `voucher?:string`; nil if the name has no `?`, or is invalid without it.
    private static func withOptionalType(_ parts: [Substring]) -> String? {
        guard parts[0].hasSuffix("?") else { return nil }
        let bare = String(parts[0].dropLast())
        guard let name = PropertyName.isValid(bare) ? bare : NameSuggestion.joined(bare, by: "_") else { return nil }
        let type = parts[1].hasSuffix("?") ? String(parts[1]) : "\(parts[1])?"
        return ([name, type] + parts.dropFirst(2).map(String.init)).joined(separator: ":")
    }

    /// Whether it counts as personal by default, without a review.
    private(set) var countsAsPersonal = false

    private var description: String { givenDescription ?? PlaceholderText.description(of: name) }

    /// Its member of `properties`, as JSON on one line.
    var schema: String {
        let privacy = privacy.map { #", "x-pii": \#($0)"# } ?? ""
        return #""\#(name)": { \#(type.keywords)\#(privacy), "description": \#(JSONText.string(description)) }"#
    }

    /// Its member in an example, as JSON.
    var example: String { #""\#(name)": \#(type.example)"# }
}
