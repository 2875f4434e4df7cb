internal import JSONLines

/// What a stream has, and how it is set up.
package struct StreamState: Equatable, Sendable {
    /// The number of partitions; nil if the stream's metadata does not state it.
    package var partitions: Int?
    package var replicas: Int
    package var messages: Int64
    package var bytes: Int64
    /// The sequence of the first message that is still stored.
    package var first: Int64
    package var last: Int64
    /// When the stream was created, as text: another text means another stream.
    package var created: String
}

extension JetStream {
    /// Creates the streams if they do not exist.
    ///
    /// - Returns: The state of the stream of events. Its number of partitions may differ from the requested one, if it
    ///   existed.
    /// - Throws: ``StreamError``.
    package func create(partitions: Int, replicas: Int) throws(StreamError) -> StreamState {
        try create(
            StreamNames.events, subjects: ["events.*"], partitions: partitions, replicas: replicas,
            limits: ["discard": "new"])
        try create(
            StreamNames.cuts, subjects: ["cuts.*", "erased.*"], partitions: partitions, replicas: replicas,
            limits: ["discard": "new"])
        try create(
            StreamNames.verdicts, subjects: [StreamNames.allVerdicts], partitions: partitions, replicas: replicas,
            limits: ["max_msgs_per_subject": 1])
        return try state(of: StreamNames.events)
    }

    private func create(
        _ name: String, subjects: [String], partitions: Int, replicas: Int, limits: [String: JSONValue]
    ) throws(StreamError) {
        guard try !exists(name) else { return }
        var settings: [String: JSONValue] = [
            "name": .string(name), "subjects": .array(subjects.map { .string($0) }), "retention": "limits",
            "storage": "file", "num_replicas": .integer(Int64(replicas)), "allow_direct": true,
            "duplicate_window": .integer(120_000_000_000),
            "metadata": [StreamNames.partitionsKey: .string("\(partitions)")],
        ]
        settings.merge(limits) { $1 }
        do { _ = try api("STREAM.CREATE.\(name)", .object(settings)) } catch {
            // Another collector has created it with other partitions; the caller compares them.
            guard error.code == .settings else { throw error }
        }
    }

    private func exists(_ name: String) throws(StreamError) -> Bool {
        do {
            _ = try api("STREAM.INFO.\(name)")
            return true
        } catch {
            guard error.code == .noStream else { throw error }
            return false
        }
    }

    /// The state of a stream, from its leader.
    ///
    /// - Throws: ``StreamError``.
    package func state(of name: String) throws(StreamError) -> StreamState {
        let info = try api("STREAM.INFO.\(name)")
        guard let settings = info["config"], let state = info["state"], let created = info["created"]?.stringValue
        else { throw StreamError(.invalidMessage, "\(address): the state of \(name) is incomplete") }
        func number(_ value: JSONValue, _ member: String) -> Int64 { value[member]?.integerValue ?? 0 }
        return StreamState(
            partitions: settings["metadata"]?[StreamNames.partitionsKey]?.stringValue.flatMap { Int($0) },
            replicas: Int(number(settings, "num_replicas")), messages: number(state, "messages"),
            bytes: number(state, "bytes"), first: number(state, "first_seq"), last: number(state, "last_seq"),
            created: created)
    }
}
