internal import ArgumentParser
internal import CommandSupport
internal import PlanDiff
internal import TrackingPlan

/// `trackctl schema lock`: keeps published schemas as they are.
struct SchemaLockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: "Locks schemas, so that a published version never changes.",
        discussion: """
            Examples:
              trackctl schema lock Schemas
              trackctl schema lock Schemas --check

            The digests stand in schemas.lock, in the form of sha256sum. New schemas are added; what is locked \
            stays. A schema that changed or is gone is named, nothing is written, and the exit code is 1. To change \
            one that never left your machine, remove its line from schemas.lock.
            """
    )

    @OptionGroup var folder: SchemaFolderArgument

    @Flag(help: "Write nothing; the exit code is 1 if a schema is not as it was locked, or not locked.")
    var check = false

    func run() async throws {
        let files = try folder.read()
        let plan = try folder.plan(files)
        let lock = try Self.lock(of: files)
        let differences = lock.differences(to: files).filter { check || $0.kind != .unlocked }
        let output = BufferedOutput.standardOutput()
        for difference in differences { try output.write(line: files.place(of: difference.description).utf8) }
        try output.flush()
        guard differences.isEmpty else {
            let count = differences.count
            throw CommandFailure(
                .findings, "\(count) schema\(count == 1 ? " is" : "s are") not as \(PlanLock.path) says")
        }
        guard !check else { return }
        let text = lock.adding(files).text
        try SchemaFiles(folder: files).write([PlanFile(path: PlanLock.path, bytes: Array(text.utf8))])
        let added = lock.differences(to: files).count
        let count = plan.containers.count + plan.events.count
        try output.write(line: "\(count) schema\(count == 1 ? "" : "s") locked, \(added) of them new".utf8)
        try output.flush()
    }

    /// The lock that lies in a folder; empty if there is none.
    private static func lock(of folder: PlanFolder) throws -> PlanLock {
        do throws(PlanLockError) {
            return try PlanLock(text: folder.file(PlanLock.path)?.bytes ?? [])
        } catch {
            throw CommandFailure(.dataAtFault, "\(folder.place(of: PlanLock.path)): \(error)")
        }
    }
}
