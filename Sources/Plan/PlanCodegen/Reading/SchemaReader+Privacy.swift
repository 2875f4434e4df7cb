internal import JSONSchema

/// `x-pii`: `false`, `true`, `"drop"`, `"hash"` or `"truncate:N"`.
extension SchemaReader {
    /// Refuses an `x-pii` that is none of these, and one that would change nothing where it stands.
    mutating func checkPrivacy(_ place: SchemaPlace, _ role: SchemaRole) {
        guard let found = place["x-pii"], let text = privacyText(place) else { return }
        let isText = place[.type]?.value.string == "string" && place[.enum] == nil && place[.oneOf] == nil
        switch role {
        case .eventValue: refuse(found, "the value itself is always written: put x-pii to its properties")
        case .property where text == "drop": break
        case .element where text == "drop":
            refuse(found, "elements cannot be left out: put \"drop\" to the array, and leave it out of required")
        case .definition where text == "drop":
            refuse(found, "a definition cannot be left out: put \"drop\" to the member")
        case _ where place[.ref] != nil:
            refuse(found, "a reference changes nothing: put it to the definition")
        case _ where !isText:
            refuse(found, "only texts can be changed, these cannot: write true or \"drop\", or put it to the items")
        default: break
        }
    }

    /// Refuses every `x-pii` that would change something.
    mutating func refusePrivacy(_ place: SchemaPlace, _ message: String) {
        if let found = place["x-pii"], privacyText(place) != nil { refuse(found, message) }
    }

    /// The text of `x-pii`, if it is one of those that change something.
    private mutating func privacyText(_ place: SchemaPlace) -> String? {
        guard let found = place["x-pii"], found.value.boolean == nil else { return nil }
        guard let text = found.value.string, text == "drop" || Self.redaction(text) != nil else {
            refuse(found, "x-pii is false, true, \"drop\", \"hash\" or \"truncate:N\"")
            return nil
        }
        return text
    }

    /// What `x-pii` says of a member.
    func privacy(_ place: SchemaPlace) -> (isPersonal: Bool, isDropped: Bool) {
        guard let found = place["x-pii"]?.value else { return (false, false) }
        return (found.boolean ?? true, found.string == "drop")
    }

    /// What is written in place of a text.
    func redaction(_ place: SchemaPlace) -> StringRule.Redaction {
        place["x-pii"]?.value.string.flatMap(Self.redaction) ?? .none
    }

    private static func redaction(_ text: String) -> StringRule.Redaction? {
        if text == "hash" { return .hash }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "truncate", let count = Int(parts[1]), "\(count)" == parts[1],
            (1...Int(Int32.max)).contains(count)
        else { return nil }
        return .truncate(count)
    }
}
