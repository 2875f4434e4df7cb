import ArgumentParser
import CollectorIntake
import CollectorStore
import CommandSupport
import Foundation

/// `collector doctor`.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check a stopped collector's data folder.",
        discussion:
            "Read every segment and compare it with the index. While the collector runs, use GET /v1/findings.")

    @OptionGroup var data: DataOptions

    @Flag(
        help: """
            Repair installs of other systems' clients that a client has claimed, which earlier versions allowed. Makes a \
            backup in the data folder first. If it ends early, run it again.
            """)
    var fix = false

    @Option(help: ArgumentHelp("Folder of mappings, as for 'collector serve'.", valueName: "folder"))
    var mappings: String?

    func run() async throws {
        guard FileManager.default.fileExists(atPath: "\(data.data)/store") else {
            throw CommandFailure(.noInput, "\(data.data) is not a collector's data folder; pass one with --data")
        }
        let namespaces = try ClientMappings(folder: mappings).namespaces
        let limit = IntakeLimits().highestSeq
        let store = try BatchStore(folder: "\(data.data)/store")
        var claimed = try store.claimedInstalls(in: namespaces, above: limit)
        if fix, !claimed.isEmpty {
            print("backup: \(try await backUp(store))")
            try await store.release(claimed, above: limit)
            for install in claimed { print("repaired: \(install)") }
            claimed = try store.claimedInstalls(in: namespaces, above: limit)
        }
        let findings =
            store.openingFindings + (try await store.doctor()) + ForwardingOptions.findings(in: data.data)
            + claimed.map {
                StoreFinding(
                    .warning, .claimedInstall, subject: $0,
                    message: "a client has claimed this install of other systems' clients; run 'collector doctor --fix'"
                )
            }
        await store.close()
        for finding in findings { print("\(finding)") }
        guard findings.contains(where: { $0.severity != .note }) else {
            print("no problems found in \(data.data)")
            return
        }
        throw ExitCode(ExitStatus.findings.rawValue)
    }

    /// Copies the store to a new folder. The statistics, which have counted the claims, move there; the collector counts
    /// again.
    private func backUp(_ store: BatchStore) async throws -> String {
        let files = FileManager.default
        var number = 1
        func folder() -> String { "\(data.data)/before-fix-\(number)" }
        while files.fileExists(atPath: folder()) { number += 1 }
        try await store.backup(to: folder())
        for name in ["statistics.sqlite", "statistics.sqlite-wal", "statistics.sqlite-shm"]
        where files.fileExists(atPath: "\(data.data)/\(name)") {
            try files.moveItem(atPath: "\(data.data)/\(name)", toPath: "\(folder())/\(name)")
        }
        return folder()
    }
}
