internal import EventLog
internal import Primitives

/// A sink of this name is being delivered to already, and it is another object.
public struct SinkConflict: Error, Equatable, CustomStringConvertible {
    /// The sink's name.
    public let sink: String

    /// What is wrong and what to do.
    public var description: String {
        """
        the log delivers to another sink with the name "\(sink)" already: hand the same object to each environment, or give \
        this one another name
        """
    }
}

/// Delivers a log's events: one for a log in a process, however many environments and flushers there are.
final class DeliveryEngine: LogDeliverer {
    private struct Entry {
        let runner: SinkRunner
        var users: Int
    }

    private let entries = Locked<[String: Entry]>([:])

    var consumers: [String] { entries.withLock { Array($0.keys) } }

    /// Gives the runners of some sinks: those that are at work already, or new ones.
    ///
    /// - Throws: ``SinkConflict``; nothing was changed then.
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

    /// Ends what ``join(_:)`` began; a sink that nobody uses any more may be replaced by another object.
    func leave(_ runners: [SinkRunner]) {
        entries.withLock { entries in
            for runner in runners {
                entries[runner.sink.name]?.users -= 1
                if entries[runner.sink.name]?.users == 0 { entries[runner.sink.name] = nil }
            }
        }
    }
}
