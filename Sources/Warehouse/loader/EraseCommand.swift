import ArgumentParser
import CommandSupport
import EventModel
import Foundation
import TextRendering
import Warehouse

/// `loader erase`: removes a user from the stream, from ClickHouse and from folders.
struct EraseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Remove a user's events from the stream, ClickHouse and a folder, and prove it.",
        discussion: """
            First erase the user at each collector, so that no further events of the user arrive; then stop the loaders \
            of these partitions; then run this with their states, and start the loaders again. The stream keeps what \
            arrives meanwhile. Without --stream, this erases from the folder only, and loaders may run.

            A message with events of the user is published again without them, and the original is overwritten. Lines \
            and Parquet files in the folder are rewritten without them, the latter by DuckDB. The numbers of the events \
            are recorded as erased. At the end everything is searched again. A file that is damaged, or differs from its \
            manifest, stays and is reported. Rows of other users that have the id somewhere stay; their number is in the \
            column 'mentions'.

            The NATS servers' Raft logs have the removed bytes for about two more minutes, and ClickHouse's former parts \
            for about eight. Backups and mirrors that were made before keep the events: remove them, too.

            If it is interrupted or killed, run it again.
            """)

    @Option(
        help: ArgumentHelp(
            "File with the user_id on its only line; - for standard input. Not an argument, which ps would show.",
            valueName: "file"))
    var userFile: String

    @OptionGroup(title: "Stream") var stream: StreamOptions

    @OptionGroup(title: "ClickHouse") var clickhouse: ClickHouseOptions

    @Option(help: ArgumentHelp("Folder that the loader writes.", valueName: "folder"))
    var folder: String?

    @Option(help: ArgumentHelp("DuckDB's command-line program, for Parquet files.", valueName: "program"))
    var duckdb = "duckdb"

    @Option(
        help: ArgumentHelp(
            "Time in seconds for readers of the folder, if this finishes a compaction that was killed.",
            valueName: "seconds"))
    var grace = 60

    func validate() throws {
        if stream.stream != nil || clickhouse.clickhouse != nil || folder == nil { try stream.check() }
        guard clickhouse.clickhouse != nil || folder != nil else {
            throw ValidationError("pass the stores of the loader: --clickhouse, --folder, or both")
        }
        guard (0...86_400).contains(grace) else { throw ValidationError("--grace must be from 0 to 86400 seconds") }
    }

    func run() throws {
        let user = try self.user()
        // Before the stream: a folder that cannot be erased is an error while nothing is changed.
        let erasure = try folder.map { folder in
            try FolderErasure(folder: folder, user: user, duckdb: duckdb, grace: .seconds(grace)) {
                StandardError.say("loader: \($0.printable)")
            }
        }
        var status = ExitStatus.ok
        if stream.stream != nil {
            guard let results = try eraseStream(user) else { return }
            var table = TextTable(["store", "events erased", "still found"], rightAligned: [1, 2])
            for result in results { table.add([result.place.printable, result.events.grouped, result.left.grouped]) }
            for line in table.lines { print(line) }
            if results.contains(where: { $0.left > 0 }) { status = .findings }
        }
        if let result = try erasure?.run() {
            Self.show(result)
            if result.counts.values.contains(where: { $0.left > 0 }) { status = .findings }
            if !result.damaged.isEmpty { status = .dataError }
        }
        let now = EventTime.ofSystem().rfc3339.prefix(19) + "Z"
        print("Backups, mirrors and snapshots from before \(now) still have the events.")
        if status != .ok { throw ExitCode(status.rawValue) }
    }

    /// Erases from stream and ClickHouse, and loads the rest into the folder; nil after a signal.
    private func eraseStream(_ user: String) throws -> [Erasure.Result]? {
        let store = try clickhouse.store()
        var stores: [any WarehouseStore] = folder.map { [FolderStore(folder: $0)] } ?? []
        if let store { stores.append(store) }
        return try stream.loader(stores, Loader.Options())?.erase(user: user, clickhouse: store)
    }

    private static func show(_ result: FolderErasure.Result) {
        let columns = ["files", "searched", "rewritten", "events removed", "still found", "mentions"]
        var table = TextTable(columns, rightAligned: Set(1..<columns.count))
        for kind in FolderErasure.Kind.allCases {
            let count = result[kind]
            guard count.files > 0 || [.lines, .parquet].contains(kind) else { continue }
            table.add(
                [kind.rawValue]
                    + [count.files, count.rewritten, count.removed, count.left, count.mentions].map(\.grouped))
        }
        for line in table.lines { print(line) }
        if result.recordedRanges > 0 {
            print("\(result.recordedRanges.counted("range")) of numbers recorded as erased.")
        }
        if result.deletedDrafts > 0 {
            print("\(result.deletedDrafts.counted("draft")) of killed loaders deleted.")
        }
    }

    /// - Throws: ``CommandFailure``: `noInput`, or `usage` if the file does not have one id.
    private func user() throws -> String {
        let name = userFile == "-" ? "standard input" : userFile
        guard
            let data = userFile == "-"
                ? FileHandle.standardInput.readDataToEndOfFile() : FileManager.default.contents(atPath: userFile)
        else { throw CommandFailure(.noInput, "cannot read \(name); check its name and permissions") }
        guard let text = String(data: data, encoding: .utf8) else {
            throw CommandFailure(.usage, "\(name) is not UTF-8; save it as UTF-8")
        }
        // By bytes: Swift treats a carriage return and a line feed as one character.
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var user = lines[0]
        if user.last == UInt8(ascii: "\r") { user = user.dropLast() }
        guard !user.isEmpty else {
            throw CommandFailure(.usage, "\(name) has no user_id on its first line; write the id there")
        }
        guard lines.dropFirst().allSatisfy(\.isEmpty) else {
            throw CommandFailure(.usage, "\(name) has more than one line; pass one user_id")
        }
        return String(decoding: user, as: UTF8.self)
    }
}
