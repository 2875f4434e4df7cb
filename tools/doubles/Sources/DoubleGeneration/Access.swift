/// Who sees a double, from few to many.
package enum Access: Int, Comparable, Sendable {
    case `internal`
    case package
    case `public`

    /// Reads a level; nil if it is none.
    package init?(_ text: String) {
        switch text {
        case "internal": self = .internal
        case "package": self = .package
        case "public", "open": self = .public
        default: return nil
        }
    }

    /// What stands before a declaration or an import: nothing, or the level and a space.
    var prefix: String {
        switch self {
        case .internal: ""
        case .package: "package "
        case .public: "public "
        }
    }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
