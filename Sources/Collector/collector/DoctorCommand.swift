import ArgumentParser
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

    func run() async throws {
        guard FileManager.default.fileExists(atPath: "\(data.data)/store") else {
            throw CommandFailure(.noInput, "\(data.data) is not a collector's data folder; pass one with --data")
        }
        let store = try BatchStore(folder: "\(data.data)/store")
        let findings =
            store.openingFindings + (try await store.doctor()) + ForwardingOptions.findings(in: data.data)
        await store.close()
        for finding in findings { print("\(finding)") }
        guard findings.contains(where: { $0.severity != .note }) else {
            print("no problems found in \(data.data)")
            return
        }
        throw ExitCode(ExitStatus.findings.rawValue)
    }
}
