internal import EventLog
internal import EventModel
internal import Foundation

/// Looks who may read a log and what lies beside it. Events are personal data: each carries its user's id.
enum PermissionCheck {
    /// What others may do, in chmod(1)'s bits.
    private static let othersRead: UInt16 = 0o004
    private static let othersEnter: UInt16 = 0o001

    static func findings(_ inventory: LogInventory) -> [Finding] {
        let journals = inventory.databases.map(JournalExamination.folder).flatMap { FolderContent.files(under: $0) }
        let others =
            journals + inventory.lineFiles.map(\.path)
            + inventory.quarantines.flatMap { FolderContent.files(under: $0) }
        // What SQLite keeps beside a database it makes like that.
        let groups = inventory.databases.map(LogInventory.parts) + others.map { [$0] }
        let isReachable = isReachable(inventory.folder)
        let owner = FileFacts(inventory.folder)?.owner
        var findings: [Finding] = []
        for group in groups {
            let files = group.compactMap { path in FileFacts(path).map { (path: path, facts: $0) } }
            if isReachable, let file = files.first(where: { $0.facts.permissions & othersRead != 0 }) {
                findings.append(
                    Finding(
                        .permissions, .warning, file.path, "every user of this machine may read it",
                        advice: "chmod o-r it, or keep logs in a folder of mode 0700",
                        numbers: ["mode": Int64(file.facts.permissions)]))
            }
            if let owner, let file = files.first(where: { $0.facts.owner != owner }) {
                findings.append(
                    Finding(
                        .permissions, .warning, file.path, "it belongs to another user than its folder",
                        advice: "chown it, or the app may not be able to write it",
                        numbers: ["owner": Int64(file.facts.owner), "folder_owner": Int64(owner)]))
            }
        }
        let count = groups.reduce(0) { $0 + $1.count }
        return findings.isEmpty
            ? [Finding(.permissions, .ok, inventory.path, "\(count) files are closed to others")] : findings
    }

    /// Whether others may enter a folder and all that it lies in.
    private static func isReachable(_ folder: String) -> Bool {
        var path = URL(fileURLWithPath: folder).standardizedFileURL.path
        while true {
            if let facts = FileFacts(path), facts.permissions & othersEnter == 0 { return false }
            guard path != "/", !path.isEmpty else { return true }
            path = FolderContent.folder(of: path)
        }
    }
}
