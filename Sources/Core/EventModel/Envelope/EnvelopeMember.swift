public import JSONLines

/// The names of the members of an event's line, defined only here. `TrackingContainer` documents their content.
///
/// A line has the members in the order of the cases. `unplanned`, `context`, `origin` and an event's `value` are
/// optional.
@usableFromInline
package enum EnvelopeMember: CaseIterable, Sendable {
    case version
    case id
    case installID
    case seq
    case sessionID
    case userID
    case time
    case schema
    case unplanned
    case context
    case origin
    case event

    @inlinable
    package var name: StaticString {
        switch self {
        case .version: "v"
        case .id: "id"
        case .installID: "install_id"
        case .seq: "seq"
        case .sessionID: "session_id"
        case .userID: "user_id"
        case .time: "time"
        case .schema: "schema"
        case .unplanned: "unplanned"
        case .context: "context"
        case .origin: "origin"
        case .event: "event"
        }
    }

    /// Members of `event`.
    @usableFromInline
    package enum Event: CaseIterable, Sendable {
        case name
        case value

        @inlinable
        package var name: StaticString {
            switch self {
            case .name: "name"
            case .value: "value"
            }
        }

        /// The path from the line's top-level object, for messages and fields: `event.name`.
        @inlinable
        package var path: StaticString {
            switch self {
            case .name: "event.name"
            case .value: "event.value"
            }
        }
    }

    /// Members of `context`.
    @usableFromInline
    package enum Context: CaseIterable, Sendable {
        case app
        case os
        case sdk

        @inlinable
        package var name: StaticString {
            switch self {
            case .app: "app"
            case .os: "os"
            case .sdk: "sdk"
            }
        }
    }
}

/// A member with a name in JSON.
@usableFromInline
package protocol NamedMember: CaseIterable, CodingKey, RawRepresentable where RawValue == String {
    var name: StaticString { get }
}

extension NamedMember {
    @usableFromInline
    package var rawValue: String { name.withUTF8Buffer { String(decoding: $0, as: UTF8.self) } }

    /// The member with a name; nil if there is none.
    @usableFromInline
    package init?(rawValue: String) {
        guard let member = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = member
    }

    // Explicit, since the compiler would otherwise derive the keys from the names of the cases.
    @usableFromInline
    package var stringValue: String { rawValue }
    @usableFromInline
    package var intValue: Int? { nil }
    @usableFromInline
    package init?(stringValue: String) { self.init(rawValue: stringValue) }
    @usableFromInline
    package init?(intValue: Int) { nil }
}

extension EnvelopeMember: NamedMember {}
extension EnvelopeMember.Event: NamedMember {}
extension EnvelopeMember.Context: NamedMember {}

extension JSONWriter {
    /// Writes a member's name. Its value must follow.
    // Inlined like `key(StaticString)`: for a known case, the compiler emits the bytes of its name.
    @inlinable @inline(__always)
    package mutating func key(_ member: EnvelopeMember) { key(member.name) }

    /// Writes a name in `event`. Its value must follow.
    @inlinable @inline(__always)
    package mutating func key(_ member: EnvelopeMember.Event) { key(member.name) }
}

extension JSONValue {
    /// A member of a line; nil if the line does not have it.
    package subscript(_ member: EnvelopeMember) -> JSONValue? { self[member.rawValue] }
}
