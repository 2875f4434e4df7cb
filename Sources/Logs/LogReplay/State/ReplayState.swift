package import EventModel
internal import Foundation
internal import JSONLines
internal import LogFiles

/// How far a replay has come: what a later run needs to go on exactly there.
package struct ReplayState: Sendable, Equatable {
    /// A lane's part.
    package struct Lane: Sendable, Equatable {
        /// How many of its events are done: delivered, skipped or put aside.
        package var events = 0
        /// The checksum of their lines, as they were read.
        package var checksum: UInt = 0
        /// The time that the batch under way was given, if batches are given the time of their sending.
        package var stamp: EventTime?
        /// Where in the file of dead letters those of the batch under way begin at the earliest, in bytes, if any of it was
        /// refused.
        package var letters: Int64?

        package init() {}
    }

    /// What the run was asked for: the options that decide what is sent, by name.
    package var options: [String: String]
    /// A text that no other run has; new ids are made of it.
    package let run: String
    /// When the run was started for the first time.
    package let started: EventTime
    /// Where the sink goes on, in bytes.
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

    /// Reads what ``json`` wrote; nil for anything else.
    init?(json bytes: some Sequence<UInt8>) {
        guard let json = try? JSONParser.parse(bytes), json["replay_state"] == .integer(Self.version),
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

/// The file that keeps how far a replay has come.
package struct StateFile: Sendable {
    /// Its path.
    package let path: String

    package init(path: String) { self.path = path }

    /// What the value of an option begins with that is not to be shown.
    package static let digestMark = "sha256:"

    /// What an earlier run left; nil if there is no file yet.
    ///
    /// - Parameters:
    ///   - options: What this run was asked for.
    ///   - lanes: How many lanes it has.
    /// - Throws: ``ReplayError``: `cannotRead`; `notOurs` for another file; `otherReplay`, with what differs.
    package func read(for options: [String: String], lanes: Int) throws -> ReplayState? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ReplayError(.cannotRead, "\(path) cannot be read: check its permissions")
        }
        guard let state = ReplayState(json: data) else { throw noState }
        let differences = Set(state.options.keys).union(options.keys).sorted().compactMap { name -> String? in
            let (was, now) = (state.options[name], options[name])
            guard was != now else { return nil }
            let isSecret = [was, now].contains { $0?.hasPrefix(Self.digestMark) ?? false }
            return isSecret
                ? "\(name) was another" : "\(name) was \(was ?? "not given"), and is \(now ?? "not given")"
        }
        guard differences.isEmpty else {
            throw ReplayError(
                .otherReplay,
                """
                \(path) belongs to another replay: \(differences.joined(separator: "; ")). Give what it was, or \
                name another state file
                """)
        }
        guard state.lanes.count == lanes else { throw noState }
        return state
    }

    private var noState: ReplayError {
        ReplayError(
            .notOurs,
            "\(path) holds no state of a replay: name another file, or remove it to start from the first event")
    }

    /// Puts a state in the place of the one before.
    ///
    /// - Throws: `LogFileError`, as `ReplacedFile`.
    package func write(_ state: ReplayState) throws { try ReplacedFile.write(state.json, path: path) }
}
