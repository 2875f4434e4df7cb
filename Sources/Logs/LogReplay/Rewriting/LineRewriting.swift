package import EventModel
package import EventQuery
internal import JSONLines
internal import Primitives

/// Changes to each line. All other bytes stay unchanged.
package struct LineRewriting: Sendable {
    package enum Times: Sendable, Equatable {
        case keep
        /// The first event gets this time, the others keep their distances. A relative time refers to the start of the
        /// first run, also when it is resumed.
        case shift(to: TimeExpression)
        /// The time when the batch is sent.
        case now
    }

    package var times = Times.keep
    package var hasNewIDs = false
    package var settings: [MemberSetting] = []

    package init() {}

    /// Whether lines are sent unchanged.
    package var isIdentity: Bool { times == .keep && !hasNewIDs && settings.isEmpty }

    var shiftsTimes: Bool { if case .shift = times { true } else { false } }

    /// The changes to make when a batch is sent, because they need the time of sending.
    var restWhenSent: LineRewriting? {
        guard times == .now else { return nil }
        var rest = self
        rest.settings = []
        return rest
    }

    /// The changed line.
    ///
    /// - Parameters:
    /// - line: The line of an event with an id and a time.
    /// - time: The new time; nil to leave time and id for later.
    /// - ids: Creates new ids.
    /// - ordinal: The event's index in its lane.
    /// - Throws: ``CannotRewrite``.
    func rewrite(
        _ line: UnsafeRawBufferPointer, time: EventTime?, ids: NewIDs, lane: Int, ordinal: Int
    ) throws(CannotRewrite) -> [UInt8] {
        var changed = Array(line)
        for setting in settings {
            guard let set = changed.withUnsafeBytes({ setting.path.replacing(in: $0, with: setting.value) }) else {
                throw CannotRewrite(reason: "--set \(setting.path.description): the line has no object for this member")
            }
            changed = set
        }
        guard let time else { return changed }
        if hasNewIDs {
            guard let old = changed.withUnsafeBytes({ bytes in Self.id.location(in: bytes).map { Array(bytes[$0]) } })
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

/// Why a line cannot be changed as requested.
package struct CannotRewrite: Error, CustomStringConvertible {
    let reason: String
    package var description: String { reason }
}

/// A value to set in every line: `event.value.page=3`.
package struct MemberSetting: Sendable, CustomStringConvertible {
    package let path: EventPath
    /// JSON without a line feed.
    package let value: [UInt8]
    /// The setting as written.
    package let description: String

    /// Parses `path=value`. A value that is not JSON becomes a string.
    ///
    /// - Throws: `TypedTextError`.
    package init(_ text: String) throws(TypedTextError) {
        var reader = TypedText(text)
        path = try reader.path()
        guard reader.take("=") else { throw reader.error("write path=value, such as event.value.page=3") }
        for reserved in ["id", "time"] where path.isWithin(EventPath(members: reserved)) {
            let option = reserved == "id" ? "--new-ids" : "--time"
            throw TypedText(text).error("--set cannot change '\(reserved)': use \(option)")
        }
        let source = Array(String(reader.rest).utf8)
        var writer = JSONWriter()
        if JSONValue(validating: source) != nil {
            // Keeps the digits of numbers, in one line.
            writer.value(source.filter { $0 >= 0x20 })
        } else {
            writer.string(String(decoding: source, as: UTF8.self))
        }
        value = writer.bytes
        description = text
    }
}

/// Derives new ids from an event's old id, its position and the run. The result is reproducible.
package struct NewIDs: Sendable {
    /// Distinguishes this run from others.
    private let run: [UInt8]

    /// - Parameter run: A unique text.
    package init(run: String) { self.run = Array(run.utf8) }

    /// A UUIDv7 for the event's new time; the other bits come from SHA-256.
    func id(for old: [UInt8], at time: EventTime, lane: Int, ordinal: Int) -> EventID {
        var message = run
        for number in [UInt64(lane), UInt64(ordinal)] {
            withUnsafeBytes(of: number.bigEndian) { message.append(contentsOf: $0) }
        }
        message.append(contentsOf: old)
        let digest = message.withUnsafeBufferPointer { SHA256.digest($0) }
        return EventID(
            milliseconds: time.milliseconds, counter: UInt16(truncatingIfNeeded: digest[0]),
            random: UInt64(digest[1]) << 32 | UInt64(digest[2]))
    }
}
