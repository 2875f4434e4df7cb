import ArgumentParser
import CommandSupport
import EventModel
import Foundation
import TextRendering
import Warehouse

/// `loader erase`: removes a user from the stream and from ClickHouse.
struct EraseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Remove a user's events from the stream and from ClickHouse, and prove it.",
        discussion: """
            First erase the user at each collector, so that no further events of the user arrive; then stop the loaders \
            of these partitions; then run this with their states, and start the loaders again. The stream keeps what \
            arrives meanwhile. Folders need tools/warehouse/erase.

            A message with events of the user is published again without them, and the original is overwritten. The \
            numbers of the events are recorded as erased. At the end stream and ClickHouse are searched again.

            The NATS servers' Raft logs have the removed bytes for about two more minutes, and ClickHouse's former parts \
            for about eight. Backups and mirrors that were made before keep the events: remove them, too.

            If it is interrupted, run it again.
            """)

    @Option(
        help: ArgumentHelp(
            "File with the user_id on its first line; - for standard input. Not an argument, which ps would show.",
            valueName: "file"))
    var userFile: String

    @OptionGroup(title: "Stream") var stream: StreamOptions

    @OptionGroup(title: "ClickHouse") var clickhouse: ClickHouseOptions

    @Option(help: ArgumentHelp("Folder that the loader writes, to load what is left first.", valueName: "folder"))
    var folder: String?

    func validate() throws {
        try stream.check()
        guard clickhouse.clickhouse != nil || folder != nil else {
            throw ValidationError("pass the stores of the loader: --clickhouse, --folder, or both")
        }
    }

    func run() throws {
        let user = try self.user()
        let store = try clickhouse.store()
        var stores: [any WarehouseStore] = folder.map { [FolderStore(folder: $0)] } ?? []
        if let store { stores.append(store) }
        guard let loader = try stream.loader(stores, Loader.Options()) else { return }
        let results = try loader.erase(user: user, clickhouse: store)
        var table = TextTable(["place", "events erased", "still found"], rightAligned: [1, 2])
        for result in results { table.add([result.place.printable, result.events.grouped, result.left.grouped]) }
        for line in table.lines { print(line) }
        let now = EventTime.ofSystem().rfc3339.prefix(19) + "Z"
        print("Backups and mirrors from before \(now) still have the events.")
        if let folder { print("Run tools/warehouse/erase for \(folder.printable).") }
        if results.contains(where: { $0.left > 0 }) { throw ExitCode(ExitStatus.findings.rawValue) }
    }

    private func user() throws -> String {
        let line: String?
        if userFile == "-" {
            line = readLine()
        } else {
            guard let data = FileManager.default.contents(atPath: userFile) else {
                throw CommandFailure(.noInput, "cannot read \(userFile); check its name and permissions")
            }
            line = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).first.map(String.init)
        }
        guard let line, !line.isEmpty else {
            throw CommandFailure(.dataError, "\(userFile) has no user_id on its first line")
        }
        return line
    }
}
