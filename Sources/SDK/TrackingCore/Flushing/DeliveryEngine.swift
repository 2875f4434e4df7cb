internal import EventLog
internal import Primitives

/// The log already delivers to another sink object with the same name.
public struct SinkConflict: Error, Equatable, CustomStringConvertible {
    /// The sink's name.
    public let sink: String

    /// What is wrong and how to fix it.
    public var description: String {
        """
        the log already delivers to another sink named "\(sink)": pass the same object to each environment, or rename \
        this sink
        """
    }
}

/// Delivers a log's events. A log has one engine in a process, shared by all environments and flushers.
final class DeliveryEngine: LogDeliverer {
    private struct Entry {
        let runner: SinkRunner
        var users: Int
    }

    private let entries = Locked<[String: Entry]>([:])

    var consumers: [String] { entries.withLock { Array($0.keys) } }

    /// Returns the runners of some sinks: existing ones, or new ones.
    ///
    /// - Throws: ``SinkConflict``. In this case nothing has changed.
    func join(_ parts: [SinkRunner.Parts]) throws(SinkConflict) -> [SinkRunner] {
        try entries.withLock { entries throws(SinkConflict) in
            var joined = entries
            var runners: [SinkRunner] = []
            for part in parts {
                let name = part.sink.name
                guard joined[name].map({ $0.runner.sink === part.sink }) ?? true,
                    !runners.contains(where: { $0.sink.name == name })
                else { throw SinkConflict(sink: name) }
                let entry = Entry(
                    runner: joined[name]?.runner ?? SinkRunner(part), users: (joined[name]?.users ?? 0) + 1)
                joined[name] = entry
                runners.append(entry.runner)
            }
            entries = joined
            return runners
        }
    }

    /// Ends what ``join(_:)`` began. A sink without users can then be replaced by another object.
    func leave(_ runners: [SinkRunner]) {
        entries.withLock { entries in
            for runner in runners {
                entries[runner.sink.name]?.users -= 1
                if entries[runner.sink.name]?.users == 0 { entries[runner.sink.name] = nil }
            }
        }
    }
}
