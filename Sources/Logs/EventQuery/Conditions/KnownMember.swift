internal import EventModel

/// The members that every container has, and may have: what a path can be checked by.
enum KnownMember: String, CaseIterable {
    case v
    case id
    case installID = "install_id"
    case seq
    case sessionID = "session_id"
    case userID = "user_id"
    case time
    case schema
    case context
    case origin
    case event

    enum MemberType: String {
        case text
        case number = "a number"
        case time = "a time"
    }

    /// What the values at the end of a path are; nil if they can differ.
    static func type(of path: EventPath) -> MemberType? {
        let names = names(path)
        if names == ["event", "name"] { return .text }
        guard names.count == 1 else { return nil }
        return switch Self(rawValue: names[0]) {
        case .v, .seq: .number
        case .time: .time
        case .id, .installID, .sessionID, .userID, .schema: .text
        case .context, .origin, .event, nil: nil
        }
    }

    /// Why a path can lead nowhere; nil if it can lead somewhere.
    static func whyUnknown(_ path: EventPath) -> String? {
        let names = names(path)
        guard Self(rawValue: names[0]) != nil else {
            let near = allCases.map(\.rawValue).first { isOneSlip($0, names[0]) }
            if let near { return "a line has no member '\(names[0])': did you mean \(near)?" }
            return """
                a line has no member '\(names[0])': a value of an event is event.value.\(path), a member of your own \
                .\(path)
                """
        }
        if names[0] == "event", names.count > 1, names[1] != "name", names[1] != "value" {
            let rest = names.dropFirst().joined(separator: ".")
            return "an event has a name and a value: did you mean event.value.\(rest)?"
        }
        return nil
    }

    /// The names on the way; empty texts for elements.
    private static func names(_ path: EventPath) -> [String] {
        path.steps.map { if case .name(let name) = $0 { String(decoding: name, as: UTF8.self) } else { "" } }
    }

    /// Whether two names differ by one character: more, less, another, or two that changed places.
    private static func isOneSlip(_ left: String, _ right: String) -> Bool {
        let (left, right) = (Array(left.lowercased()), Array(right.lowercased()))
        let start = zip(left, right).prefix { $0 == $1 }.count
        let (restLeft, restRight) = (left[start...], right[start...])
        if restLeft.dropFirst() == restRight || restLeft == restRight.dropFirst() { return true }
        if restLeft.dropFirst() == restRight.dropFirst() { return left.count > 2 }
        return restLeft.count > 1 && restRight.count > 1 && restLeft.prefix(2).reversed() == Array(restRight.prefix(2))
            && restLeft.dropFirst(2) == restRight.dropFirst(2)
    }
}
