/// The access level of a double, in ascending order.
package enum Access: Int, Comparable, Sendable {
    case `internal`
    case package
    case `public`

    /// Parses an access level; nil for other text.
    package init?(_ text: String) {
        switch text {
        case "internal": self = .internal
        case "package": self = .package
        case "public", "open": self = .public
        default: return nil
        }
    }

    /// The prefix of a declaration or an import: empty, or the level and a space.
    var prefix: String {
        switch self {
        case .internal: ""
        case .package: "package "
        case .public: "public "
        }
    }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
