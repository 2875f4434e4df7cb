internal import EventLog
internal import EventModel
internal import EventQuery
internal import Foundation

/// The events of a log as they come, those in its journals included.
final class DatabaseFollower: Follower {
    let name: String
    private(set) var installID: String?
    private let place: Int
    private let selection: EventSelection
    private var reader: EventLogReader
    private var identity: FileIdentity?
    private var rows: RowChunker
    private var lastSeq: Int64

    /// - Parameters:
    ///   - last: How many of the events that are there are wanted, if only the last ones are.
    /// - Throws: `EventLogError`.
    init(path: String, place: Int, selection: EventSelection, last: Int?) throws {
        name = path
        self.place = place
        self.selection = selection
        identity = FileIdentity(path: path)
        reader = try EventLogReader(path: path)
        let install = try reader.installID()
        installID = install
        lastSeq = selection.after?.highestSeq(of: install) ?? 0
        // Numbers without events make it start too late, if it starts exactly there; with a selection nobody can tell.
        if let last, selection.isOpen, try reader.ledger().isEmpty {
            lastSeq = max(lastSeq, try reader.statistics().lastSeq - Int64(last))
        }
        rows = Self.rows(reader, place, lastSeq, selection)
    }

    private static func rows(_ reader: EventLogReader, _ place: Int, _ seq: Int64, _ selection: EventSelection)
        -> RowChunker
    {
        RowChunker(reader, input: place, after: seq, selection: selection, longest: EventRecord.maximumLineLength)
    }

    func next() throws -> LineChunk? {
        do {
            if let chunk = try rows.next() { return chunk }
            lastSeq = rows.lastSeq
            try reopenIfReplaced()
            rows = Self.rows(reader, place, lastSeq, selection)
            return try rows.next()
        } catch let error as EventLogError {
            // Between its removal and the first commit of what takes its place there is nothing to read.
            guard FileIdentity(path: name) != identity else { throw error }
            return nil
        }
    }

    /// A log that was removed, or salvaged into a new file, is followed in its new file; one of another install from its
    /// first event on.
    private func reopenIfReplaced() throws {
        let now = FileIdentity(path: name)
        guard let now, now != identity else { return }
        let reader = try EventLogReader(path: name)
        let install = try reader.installID()
        if install != installID { lastSeq = selection.after?.highestSeq(of: install) ?? 0 }
        (self.reader, identity, installID) = (reader, now, install)
    }
}
