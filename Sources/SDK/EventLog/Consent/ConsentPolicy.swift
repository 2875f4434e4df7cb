public import EventModel

/// The consent of people who have not answered.
///
/// ```swift
/// TrackingConfiguration(consent: .required)                    // nothing is delivered before the person agrees
/// TrackingConfiguration(consent: .required(before: .memory))   // nothing is stored before the person agrees
/// TrackingConfiguration(consent: .required(for: [.ads]))       // only events for ads wait
/// ```
public struct ConsentPolicy: Hashable, Codable, Sendable, CustomStringConvertible {
    /// What happens to a person's events before the answer.
    public enum Waiting: String, CaseIterable, Sendable {
        /// They wait in the log.
        case disk
        /// They wait in memory. Until the person agrees, no file is created or written, no connection is opened, and no id
        /// is made; see the article *Users and consent*.
        case memory
        /// Like ``memory``, but events are only counted. Exempt events wait in memory.
        case nothing
    }

    /// The purposes that wait for an answer; nil for all.
    private let purposes: Set<Purpose>?
    /// What happens to events that wait for an answer.
    public let before: Waiting

    /// Events are delivered until the person denies consent.
    public static let assumed = ConsentPolicy(purposes: [], before: .disk)
    /// Events are kept, and delivered once the person agrees. Stricter than ``assumed``.
    public static let required = ConsentPolicy(purposes: nil, before: .disk)

    /// Requires an answer.
    ///
    /// - Parameter before: What happens to events until then.
    public static func required(before: Waiting) -> ConsentPolicy { ConsentPolicy(purposes: nil, before: before) }

    /// Requires an answer for some purposes; consent to the others is assumed.
    public static func required(for purposes: Set<Purpose>, before: Waiting = .disk) -> ConsentPolicy {
        ConsentPolicy(purposes: purposes, before: before)
    }

    /// Whether events that wait for an answer are not stored.
    package var storesNothingBefore: Bool { before != .disk && purposes != [] }

    /// Whether events of a purpose wait for an answer.
    ///
    /// - Parameter purpose: nil for a purpose that is not named.
    package func isRequired(for purpose: Purpose?) -> Bool {
        guard let purposes else { return true }
        return purpose.map(purposes.contains) ?? false
    }

    /// The purposes that are named.
    package var named: Set<Purpose> { purposes ?? [] }

    func names(_ purpose: Purpose?) -> Bool { purpose.map(named.contains) ?? false }

    private static let requiredFor = "required for "

    /// `assumed`, `required`, or `required for` and the purposes; then `before memory` or `before nothing`.
    public var description: String {
        let names = purposes.map { $0.map(\.name).sorted().joined(separator: ", ") }
        return names == "" ? "assumed" : (names.map { Self.requiredFor + $0 } ?? "required") + suffix
    }

    private var suffix: String { before == .disk ? "" : " before \(before.rawValue)" }

    private init(purposes: Set<Purpose>?, before: Waiting) {
        self.purposes = purposes
        self.before = before
    }

    /// Reads a ``description``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        var text = try container.decode(String.self)
        let before = Waiting.allCases.first { $0 != .disk && text.hasSuffix(ConsentPolicy.required(before: $0).suffix) }
        let waiting = before ?? .disk
        text.removeLast(ConsentPolicy.required(before: waiting).suffix.count)
        switch text {
        case "assumed": self = .assumed
        case "required": self = .required(before: waiting)
        case _ where text.hasPrefix(Self.requiredFor):
            let names = text.dropFirst(Self.requiredFor.count).split(separator: ", ")
            self = .required(for: Set(names.map { Purpose(String($0)) }), before: waiting)
        default: throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a policy: \(text)")
        }
    }

    /// Writes the ``description``.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
