/// Why an app collects events of a type. People agree to each purpose separately, or deny it.
///
/// ```swift
/// extension Purpose {
///     static let ads: Purpose = "ads"
/// }
/// ```
///
/// The build generates the members from `x-purpose` in the plan's schemas.
public struct Purpose: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// How many purposes the events of a process can have, not counting ``exempt``.
    public static let maximumCount = 15

    /// Measures how an app is used. The purpose of events whose type states none.
    public static let analytics: Purpose = "analytics"
    /// Strictly necessary: stored and delivered whatever people answer, also after a denial of all purposes.
    public static let exempt: Purpose = "exempt"

    /// Its name in the plan and in the log: kebab-case (`a-z`, `0-9`, single hyphens, starting with a letter), at most 64
    /// bytes. An event with another purpose is dropped and counted as invalid.
    public let name: String

    /// Makes a purpose from its name.
    public init(_ name: String) { self.name = name }

    public init(stringLiteral name: String) { self.init(name) }

    public var description: String { name }

    /// Whether the name has the format.
    package var isValid: Bool { EventName.isValid(name) }
}
