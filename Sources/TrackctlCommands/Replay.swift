internal import ArgumentParser
internal import CommandSupport
internal import EventLog
internal import Foundation
internal import LogFiles
internal import Tracking

/// `trackctl replay`: recorded events once more, into a log, a file or standard output.
struct Replay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Sends recorded events again, with their ids, times and order.",
        discussion: """
            EXAMPLES
              trackctl replay events.jsonl --to copy.sqlite
              trackctl replay events.sqlite --to events.jsonl
              trackctl replay old.jsonl.gz --to - | wc -l

            Into an empty database, events keep their bytes. Into one that has events, those whose id it knows are \
            skipped; of the others, those of the same install that come after all it has keep their bytes, and the \
            rest get a new number, with the old one recorded under "origin". Doing it twice adds nothing.
            """
    )

    private static let batchSize = 500

    @Argument(help: "A database, a .jsonl or .jsonl.gz file, or - for standard input.")
    var input: String

    @Option(help: "A database (.sqlite, .sqlite3, .db), a new file, or - for standard output.")
    var to: String

    func run() async throws {
        try await Trackctl.perform {
            let source = try LogInput(input)
            var faulty = FaultyLines(command: "trackctl")
            if try to != "-" && (LogInput.isDatabaseName(to) || isDatabase(to)) {
                try await replayIntoDatabase(source, &faulty)
            } else {
                try await replayIntoFile(source, &faulty)
            }
            if let failure = faulty.failure("all others were replayed") { throw failure }
        }
    }

    private func isDatabase(_ path: String) throws -> Bool {
        guard FileManager.default.fileExists(atPath: path) else { return false }
        return try LogFileReader.format(of: path) == .sqlite
    }

    private func replayIntoDatabase(_ source: LogInput, _ faulty: inout FaultyLines) async throws {
        let options = SQLiteEventStore.Options(installID: { UUID().uuidString }, retention: .keepAll)
        let store = try SQLiteEventStore(path: to, options: options)
        var result = ReplayResult()
        var batch: [RecordedEvent] = []
        var failure: (any Error)?
        do {
            try await source.forEach(reporting: &faulty) { container in
                batch.append(container.recordedEvent)
                if batch.count == Self.batchSize {
                    result += try await store.replay(batch)
                    batch.removeAll(keepingCapacity: true)
                }
                return true
            }
        } catch {
            // What was read before a cut-off end is kept.
            failure = error
        }
        if !batch.isEmpty && !(failure is EventLogError) { result += try await store.replay(batch) }
        do {
            try await store.flushToDisk()
            try await store.close()
        } catch {
            failure = failure ?? error
        }
        let total = result.kept + result.renumbered + result.known
        let news = result.kept + result.renumbered == 0 ? "; nothing new" : ""
        Console.report(
            """
            \(total) events replayed into \(to): \(result.kept) with their bytes, \(result.renumbered) under a new \
            number, \(result.known) known already\(news)
            """, by: "trackctl")
        if let failure { throw failure }
    }

    private func replayIntoFile(_ source: LogInput, _ faulty: inout FaultyLines) async throws {
        let isFile = to != "-"
        if isFile, FileManager.default.fileExists(atPath: to) {
            throw CommandFailure(.usage, "\(to) is there already: choose another name, or remove it first")
        }
        let partial = to + ".partial"
        var output = try isFile ? LineOutput(path: partial) : LineOutput()
        var count = 0
        var cutShort: LogFileError?
        do {
            do {
                try await source.forEach(reporting: &faulty) { container in
                    try output.write(container.line)
                    count += 1
                    return true
                }
            } catch let error as LogFileError {
                cutShort = error  // what was read before is kept
            }
            try output.flush()
            if isFile {
                try output.synchronize()
                try FileManager.default.moveItem(atPath: partial, toPath: to)
                Console.report("\(count) events replayed into \(to)", by: "trackctl")
            }
        } catch {
            // Half a copy is of no use; the source is untouched.
            if isFile { try? FileManager.default.removeItem(atPath: partial) }
            throw error
        }
        if let cutShort { throw cutShort }
    }
}
