package import EventModel
package import EventQuery
internal import JSONLines
internal import Primitives

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

/// Why a line cannot be changed as was asked for.
package struct CannotRewrite: Error, CustomStringConvertible {
    let reason: String
    package var description: String { reason }
}

/// A value that is put into every line: `event.value.page=3`.
package struct MemberSetting: Sendable, CustomStringConvertible {
    /// Where it goes.
    package let path: EventPath
    /// JSON without a line feed.
    package let value: [UInt8]
    /// As it was written.
    package let description: String

    /// Reads `path=value`: a value that is no JSON is a text.
    ///
    /// - Throws: `TypedTextError`.
    package init(_ text: String) throws(TypedTextError) {
        var reader = TypedText(text)
        path = try reader.path()
        guard reader.take("=") else { throw reader.error("write path=value, such as event.value.page=3") }
        for reserved in ["id", "time"] where path.isWithin(EventPath(members: reserved)) {
            let option = reserved == "id" ? "--new-ids" : "--time"
            throw TypedText(text).error("--set cannot change '\(reserved)': \(option) does")
        }
        let source = Array(String(reader.rest).utf8)
        var writer = JSONWriter()
        if (try? JSONParser.parse(source)) != nil {
            // The digits as they were written, and one line.
            writer.value(source.filter { $0 >= 0x20 })
        } else {
            writer.string(String(decoding: source, as: UTF8.self))
        }
        value = writer.bytes
        description = text
    }
}

/// Makes an event's new id of its old one, its place and the run: the same each time it is asked.
package struct NewIDs: Sendable {
    /// What tells this run from all others.
    private let run: [UInt8]

    /// - Parameter run: A text that no other run has.
    package init(run: String) { self.run = Array(run.utf8) }

    /// A UUIDv7 of the event's new time; SHA-256 gives the rest of its bits.
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
