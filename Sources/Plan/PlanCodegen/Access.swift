/// Who may use the generated types.
package enum Access: String, CaseIterable, Sendable {
    case `public`
    case package
    case `internal`

    /// What stands before a declaration.
    var prefix: String { self == .internal ? "" : "\(rawValue) " }
}
