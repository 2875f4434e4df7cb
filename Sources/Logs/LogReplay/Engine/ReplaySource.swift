package import EventLog
internal import EventModel
package import EventQuery

/// An event on its way from an input, where its line lies: good only while it is shown.
package struct SourceEvent {
    /// The line, with what was looked for: its user and its time.
    package let line: EventLine
    /// The event as a log takes it, if it was parsed.
    package let recorded: RecordedEvent?

    package init(line: EventLine, recorded: RecordedEvent? = nil) {
        self.line = line
        self.recorded = recorded
    }
}

/// The events of one or more inputs, in order. For one thread at a time.
package protocol ReplaySource {
    /// Shows some of the next events.
    ///
    /// - Parameter body: An event whose line cannot be changed as was asked for is left out by throwing
    ///   ``CannotRewrite``, which is for the source to report.
    /// - Returns: false at the end.
    /// - Throws: What ends the replay.
    mutating func next(_ body: (SourceEvent) throws(CannotRewrite) -> Void) throws -> Bool

    /// Goes back to the first event.
    ///
    /// - Throws: What ends the replay.
    mutating func startAgain() throws
}
