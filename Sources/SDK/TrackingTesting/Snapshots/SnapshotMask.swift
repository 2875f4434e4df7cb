internal import EventModel
internal import Foundation
internal import TrackingCore

/// A member of a line that differs between runs and is masked in a snapshot. Its values become `"<session_id 1>"`,
/// `"<session_id 2>"` … in the order of their first occurrence, so that equal values stay equal.
public enum SnapshotMask: CaseIterable, Sendable {
    /// `id`, unique for each event.
    case id
    /// `install_id`, unique for each event log.
    case installID
    /// `session_id`.
    case sessionID
    /// `user_id`, the device's id until the app identifies its user.
    case userID
    /// `time`.
    case time
}

extension SnapshotMask: RawRepresentable {
    /// The member's name in a line: `session_id`.
    public var rawValue: String {
        let member: EnvelopeMember =
            switch self {
            case .id: .id
            case .installID: .installID
            case .sessionID: .sessionID
            case .userID: .userID
            case .time: .time
            }
        return member.rawValue
    }

    /// The mask of a member with this name; nil for other members.
    public init?(rawValue: String) {
        guard let mask = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = mask
    }
}

/// Masks the members of lines.
struct SnapshotMasking {
    let masks: [SnapshotMask]
    private var numbers: [SnapshotMask: [String: Int]] = [:]

    init(_ masks: [SnapshotMask]) { self.masks = masks }

    mutating func line(_ container: TrackingContainer) throws -> String {
        var line = String(decoding: try container.line(), as: UTF8.self)
        for mask in masks {
            let value = Self.value(mask, container)
            let number = numbers[mask, default: [:]][value] ?? numbers[mask, default: [:]].count + 1
            numbers[mask, default: [:]][value] = number
            // The container's members precede the event's: the first occurrence is the container's.
            guard let range = line.range(of: "\"\(mask.rawValue)\":\(value)") else { continue }
            line.replaceSubrange(range, with: "\"\(mask.rawValue)\":\"<\(mask.rawValue) \(number)>\"")
        }
        return line
    }

    /// The member as written in the line.
    private static func value(_ mask: SnapshotMask, _ container: TrackingContainer) -> String {
        var json = JSONWriter()
        switch mask {
        case .id: json.string(container.id.description)
        case .installID: json.string(container.installID)
        case .sessionID: json.string(container.sessionID)
        case .userID: json.string(container.userID)
        case .time: json.seconds(microseconds: container.time.microseconds)
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
