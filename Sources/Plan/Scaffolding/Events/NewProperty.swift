internal import EventModel
internal import TrackingPlan

/// A property of a new event, as people type it: `items:integer=1...999`, `voucher:string?`, `email:string:hash`,
/// `payment:card|invoice`, each with a description after a space: `items:integer Articles in the basket.`
package struct NewProperty: Hashable, Sendable {
    /// Why a text is no property, and what to write.
    package struct Issue: Error, CustomStringConvertible {
        package let description: String
    }

    /// In snake_case.
    package let name: String
    let type: PropertyType
    /// Whether events always have it.
    let isRequired: Bool
    /// The value of `x-pii` as JSON; nil if none is given.
    private let privacy: String?
    /// What it is; nil if none is given.
    private let givenDescription: String?

    /// Reads `name:type`, with a range as `=1...999` and `?` behind the type if events may lack it, `:x-pii` behind that, and
    /// a description after the first space.
    ///
    /// - Throws: ``Issue``. Whether the privacy makes sense is for the rules of the plan to say.
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
                    description: "'\(name)' is no property's name, the ? stands behind the type: write \(meant)")
            }
            let hint = NameSuggestion.joined(name, by: "_").map { ": did you mean \($0)?" }
            throw Issue(
                description: "'\(name)' is no property's name\(hint ?? ": write a-z, 0-9 and single _, a letter first")"
            )
        }
        isRequired = !parts[1].hasSuffix("?")
        type = try PropertyType(isRequired ? parts[1] : parts[1].dropLast())
        guard parts.count > 2 else {
            // Nobody has looked at it yet, so it counts as personal.
            privacy = type.isFreeText ? "true" : nil
            return
        }
        let isFlag = parts[2] == "true" || parts[2] == "false"
        guard isFlag || ["drop", "hash"].contains(parts[2]) || parts[2].hasPrefix("truncate:") else {
            throw Issue(
                description:
                    "'\(parts[2])' is nothing that x-pii says: write false if it is not personal, else true, drop, "
                    + "hash or truncate:N")
        }
        privacy = isFlag ? String(parts[2]) : JSONText.string(String(parts[2]))
    }

    /// `voucher:string?` of `voucher?:string`; nil if the name has no `?`, or is none without it.
    private static func withOptionalType(_ parts: [Substring]) -> String? {
        guard parts[0].hasSuffix("?") else { return nil }
        let bare = String(parts[0].dropLast())
        guard let name = PropertyName.isValid(bare) ? bare : NameSuggestion.joined(bare, by: "_") else { return nil }
        let type = parts[1].hasSuffix("?") ? String(parts[1]) : "\(parts[1])?"
        return ([name, type] + parts.dropFirst(2).map(String.init)).joined(separator: ":")
    }

    /// Whether nobody has said yet whether it is personal.
    var countsAsPersonal: Bool { type.isFreeText && privacy == "true" }

    /// What it is, or a placeholder.
    private var description: String { givenDescription ?? PlaceholderText.description(of: name) }

    /// Its member of `properties`, as JSON on one line.
    var schema: String {
        let privacy = privacy.map { #", "x-pii": \#($0)"# } ?? ""
        return #""\#(name)": { \#(type.keywords)\#(privacy), "description": \#(JSONText.string(description)) }"#
    }

    /// Its member of an example, as JSON.
    var example: String { #""\#(name)": \#(type.example)"# }
}
