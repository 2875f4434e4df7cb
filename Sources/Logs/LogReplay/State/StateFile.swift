internal import Foundation
internal import LogFiles

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
