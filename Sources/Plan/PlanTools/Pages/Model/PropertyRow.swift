/// What a page says about one property.
struct PropertyRow: Equatable {
    /// The way to it: `value.query`, `value.pages[].title`; `[0]` is the first element of an array, `*` stands for the
    /// members that are not named, `/^x/` for those whose names match a pattern.
    let path: String
    /// The way to what it stands in; nil for the outermost.
    let parent: String?
    /// What it takes, in words: `string`, `array of strings`, `uuid`.
    let type: String
    /// Whether the object around it requires it; nil for elements of an array, and for members without a name.
    let isRequired: Bool?
    /// What limits it, each in a few words: `1 to 64 characters`.
    let limits: [String]
    /// The pattern that it must match.
    let pattern: String?
    /// The only values that it takes, as JSON.
    let allowed: [String]
    /// What it means.
    let description: String
    /// Why it takes anything, if it does.
    let openReason: String?
    /// Whether it is personal; nil where the schema does not say so.
    let personal: PersonalData?

    /// Whether there is more to say than a type.
    var saysMoreThanType: Bool {
        !limits.isEmpty || pattern != nil || !allowed.isEmpty || !description.isEmpty || openReason != nil
            || personal?.label != nil
    }
}

extension PersonalData {
    /// What a page says of it; nil if it is not personal.
    var label: String? {
        switch self {
        case .none: nil
        case .kept: "personal"
        case .dropped: "personal, never stored"
        case .hashed: "personal, stored as a hash"
        case .truncated(let count): "personal, cut to \(count) character\(count == 1 ? "" : "s")"
        }
    }
}
