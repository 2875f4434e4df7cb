internal import JSONSchema

/// How much of a value `x-pii` keeps away: more is more.
struct PersonalProtection: Comparable {
    /// Nothing is kept away.
    static let none = PersonalProtection(nil)

    private let level: Int
    private let shortness: Int

    /// What is not of the grammar counts as personal and kept.
    init(_ place: SchemaPlace?) {
        guard let place else {
            (level, shortness) = (0, 0)
            return
        }
        (level, shortness) =
            switch PersonalData(place.value) {
            case PersonalData.none?: (0, 0)
            case .truncated(let count)?: (2, -count)
            case .hashed?: (3, 0)
            case .dropped?: (4, 0)
            case .kept?, nil: (1, 0)
            }
    }

    static func < (left: PersonalProtection, right: PersonalProtection) -> Bool {
        (left.level, left.shortness) < (right.level, right.shortness)
    }
}
