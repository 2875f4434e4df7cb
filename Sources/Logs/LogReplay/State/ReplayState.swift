package import EventModel
internal import Foundation
internal import JSONLines
internal import LogFiles

/// The progress of a replay, from which a later run continues exactly.
package struct ReplayState: Sendable, Equatable {
    /// The progress of a lane.
    package struct Lane: Sendable, Equatable {
        /// The number of events done: delivered, skipped or written as dead letters.
        package var events = 0
        /// The checksum of their lines, as read.
        package var checksum: UInt = 0
        /// The time of sending of the batch in flight, if batches get the time of sending.
        package var stamp: EventTime?
        /// The lowest offset of dead letters of the batch in flight, in bytes, if any of it was rejected.
        package var letters: Int64?

        package init() {}
    }

    /// The options that determine what is sent, by name.
    package var options: [String: String]
    /// A unique text from which new ids are derived.
    package let run: String
    /// The start of the first run.
    package let started: EventTime
    /// The sink's offset, in bytes.
    package var position: Int64 = 0
    package var lanes: [Lane]

    /// The state before the first event.
    package init(options: [String: String], run: String, started: EventTime, lanes: Int) {
        self.options = options
        self.run = run
        self.started = started
        self.lanes = Array(repeating: Lane(), count: lanes)
    }

    private static let version: Int64 = 1

    /// One JSON object on a line.
    var json: [UInt8] {
        var writer = JSONWriter(capacity: 1024)
        writer.beginObject()
        writer.key("replay_state")
        writer.integer(Self.version)
        writer.key("options")
        writer.beginObject()
        for (name, value) in options.sorted(by: { $0.key < $1.key }) {
            writer.key(name)
            writer.string(value)
        }
        writer.endObject()
        writer.key("run")
        writer.string(run)
        writer.key("started")
        writer.integer(started.microseconds)
        writer.key("position")
        writer.integer(position)
        writer.key("lanes")
        writer.beginArray()
        for lane in lanes {
            writer.beginObject()
            writer.key("events")
            writer.integer(lane.events)
            writer.key("checksum")
            writer.integer(UInt64(lane.checksum))
            if let stamp = lane.stamp {
                writer.key("stamp")
                writer.integer(stamp.microseconds)
            }
            if let letters = lane.letters {
                writer.key("letters")
                writer.integer(letters)
            }
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    /// Parses the output of ``json``; nil for anything else.
    init?(json bytes: some Sequence<UInt8>) {
        guard let json = JSONValue(validating: bytes), json["replay_state"] == .integer(Self.version),
            case .object(let options)? = json["options"], let run = json["run"]?.stringValue,
            let started = json["started"]?.integerValue, let position = json["position"]?.integerValue, position >= 0,
            case .array(let lanes)? = json["lanes"], !lanes.isEmpty
        else { return nil }
        self.options = options.compactMapValues(\.stringValue)
        self.run = run
        self.started = EventTime(microseconds: started)
        self.position = position
        self.lanes = []
        for json in lanes {
            guard let events = json["events"]?.integerValue, events >= 0, let checksum = json["checksum"]?.integerValue,
                let checksum = UInt(exactly: checksum)
            else { return nil }
            var lane = Lane()
            lane.events = Int(events)
            lane.checksum = checksum
            lane.stamp = json["stamp"]?.integerValue.map { EventTime(microseconds: $0) }
            lane.letters = json["letters"]?.integerValue.flatMap { $0 >= 0 ? $0 : nil }
            self.lanes.append(lane)
        }
    }
}

/// The file that keeps the progress of a replay.
package struct StateFile: Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    /// The prefix of option values that are not shown.
    package static let digestMark = "sha256:"

    /// Reads the state of an earlier run; nil if the file does not exist.
    ///
    /// - Parameters:
    /// - options: The options of this run.
    /// - lanes: The number of lanes.
    /// - Throws: ``ReplayError``: `cannotRead`; `notOurs` for another file; `otherReplay` with the differences.
    package func read(for options: [String: String], lanes: Int) throws -> ReplayState? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ReplayError(.cannotRead, "cannot read \(path): check its permissions")
        }
        guard let state = ReplayState(json: data) else { throw noState }
        let differences = Set(state.options.keys).union(options.keys).sorted().compactMap { name -> String? in
            let was = state.options[name]
            let now = options[name]
            guard was != now else { return nil }
            let isSecret = [was, now].contains { $0?.hasPrefix(Self.digestMark) ?? false }
            return isSecret
                ? "\(name) was different" : "\(name) was \(was ?? "not given"), and is \(now ?? "not given")"
        }
        guard differences.isEmpty else {
            throw ReplayError(
                .otherReplay,
                """
                \(path) belongs to another replay: \(differences.joined(separator: "; ")); pass the original options, \
                or another state file
                """)
        }
        guard state.lanes.count == lanes else { throw noState }
        return state
    }

    private var noState: ReplayError {
        ReplayError(
            .notOurs,
            "\(path) is not a replay's state: choose another file, or remove it to start from the first event")
    }

    /// Replaces the stored state.
    ///
    /// - Throws: `LogFileError`; see `ReplacedFile`.
    package func write(_ state: ReplayState) throws { try ReplacedFile.write(state.json, path: path) }
}
