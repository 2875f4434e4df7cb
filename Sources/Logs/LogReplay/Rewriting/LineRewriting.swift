internal import EventLog
internal import EventModel
package import EventQuery
internal import JSONLines

/// What is changed in each line on its way; all other bytes stay.
package struct LineRewriting: Sendable {
    /// What becomes of the time.
    package enum Times: Sendable, Equatable {
        case keep
        /// The first event is at a time, the others as far from it as they were. What the time says of now, or of today, is
        /// meant of the start of the run, also when it is resumed.
        case shift(to: TimeExpression)
        /// The moment when the batch is sent.
        case now
    }

    package var times = Times.keep
    package var hasNewIDs = false
    package var settings: [MemberSetting] = []

    package init() {}

    /// Whether every line is sent as it was read.
    package var isIdentity: Bool { times == .keep && !hasNewIDs && settings.isEmpty }

    /// Whether the first event gets a time of its own.
    var shiftsTimes: Bool { if case .shift = times { true } else { false } }

    /// What of it is done when the batch is sent, because only then the time is known.
    var restWhenSent: LineRewriting? {
        guard times == .now else { return nil }
        var rest = self
        rest.settings = []
        return rest
    }

    /// A line after the change.
    ///
    /// - Parameters:
    ///   - line: Of an event with an id and a time.
    ///   - time: The new time; nil leaves the time and the id as they are for now.
    ///   - ids: Makes the new ids.
    ///   - ordinal: The event's number in its lane, from 0.
    /// - Throws: ``CannotRewrite``.
    func rewrite(
        _ line: UnsafeRawBufferPointer, time: EventTime?, ids: NewIDs, lane: Int, ordinal: Int
    ) throws(CannotRewrite) -> [UInt8] {
        var changed = Array(line)
        for setting in settings {
            guard let set = changed.withUnsafeBytes({ setting.path.replacing(in: $0, with: setting.value) }) else {
                throw CannotRewrite(reason: "--set \(setting.path.description): no object holds such a member here")
            }
            changed = set
        }
        guard let time else { return changed }
        if hasNewIDs {
            guard let old = changed.withUnsafeBytes({ bytes in Self.id.place(in: bytes).map { Array(bytes[$0]) } })
            else {
                throw CannotRewrite(reason: "not a tracking container: 'id' is missing or of the wrong type")
            }
            let id = ids.id(for: old, at: time, lane: lane, ordinal: ordinal)
            var value = JSONWriter(capacity: 40)
            value.plainString(id.text)
            changed = try Self.replace(Self.id, in: changed, with: value.bytes)
        }
        guard times != .keep else { return changed }
        var value = JSONWriter(capacity: 24)
        value.seconds(microseconds: time.microseconds)
        return try Self.replace(Self.time, in: changed, with: value.bytes)
    }

    private static func replace(
        _ path: EventPath, in line: [UInt8], with value: [UInt8]
    ) throws(CannotRewrite) -> [UInt8] {
        guard let changed = line.withUnsafeBytes({ path.replacing(in: $0, with: value) }) else {
            throw CannotRewrite(reason: "not a tracking container: the line is not an object")
        }
        return changed
    }

    private static let id = EventPath.id
    private static let time = EventPath(members: "time")
}

/// Why a line cannot be changed as was asked for.
package struct CannotRewrite: Error, CustomStringConvertible {
    let reason: String
    package var description: String { reason }
}
