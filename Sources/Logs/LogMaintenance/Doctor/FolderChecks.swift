internal import Foundation

/// Reports damaged files and leftovers of interrupted operations.
enum LeftoverCheck {
    static func findings(_ inventory: LogInventory) -> [Finding] {
        var findings = inventory.quarantines.map { folder in
            Finding(
                .leftovers, .note, at: folder, message: "damaged files that were moved aside; see reason.txt",
                advice: "keep the folder while you may need its events, then remove it")
        }
        for file in inventory.lineFiles {
            switch file.role {
            case .setAside:
                findings.append(
                    Finding(
                        .leftovers, .note, at: file.path, message: "a damaged file that was moved aside",
                        advice: "compare it with the files next to it, then remove it"))
            case .partial:
                findings.append(
                    Finding(
                        .leftovers, .warning, at: file.path, message: "an unfinished file",
                        advice: file.path.hasSuffix(".resume.partial")
                            ? "resume the interrupted replay with --resume, or remove the file"
                            : "unless a command is still writing it, remove it and run the command again"))
            case .deadLetters where (FileFacts(file.path)?.size ?? 0) > 0:
                findings.append(
                    Finding(
                        .leftovers, .warning, at: file.path, message: "events that were refused",
                        advice: "check why, correct the cause and deliver them again, or remove the file"))
            default: break
            }
        }
        findings += inventory.leftovers.map { path in
            Finding(
                .leftovers, .note, at: path, message: "a working copy of an interrupted rebuild or erasure",
                advice: "after an erasure, run trackctl prune --user again; otherwise, open the log and remove it")
        }
        return findings.isEmpty ? [Finding(.leftovers, .ok, at: inventory.path, message: "none")] : findings
    }
}

/// Checks who may read a log and the files next to it. Events are personal data: each has its user's id.
enum PermissionCheck {
    /// The permissions of other users, as bits of chmod(1).
    private static let othersRead: UInt16 = 0o004
    private static let othersEnter: UInt16 = 0o001

    static func findings(_ inventory: LogInventory) -> [Finding] {
        let journals = inventory.databases.map(JournalExamination.folder).flatMap { FolderContent.files(under: $0) }
        let others =
            journals + inventory.lineFiles.map(\.path)
            + inventory.quarantines.flatMap { FolderContent.files(under: $0) }
        // SQLite creates its files with the permissions of the database.
        let groups = inventory.databases.map(LogInventory.parts) + others.map { [$0] }
        let isReachable = isReachable(inventory.folder)
        let owner = FileFacts(inventory.folder)?.owner
        var findings: [Finding] = []
        for group in groups {
            let files = group.compactMap { path in FileFacts(path).map { (path: path, facts: $0) } }
            if isReachable, let file = files.first(where: { $0.facts.permissions & othersRead != 0 }) {
                findings.append(
                    Finding(
                        .permissions, .warning, at: file.path, message: "every user of this machine may read it",
                        advice: "run chmod o-r on it, or keep logs in a folder with mode 0700",
                        numbers: ["mode": Int64(file.facts.permissions)]))
            }
            if let owner, let file = files.first(where: { $0.facts.owner != owner }) {
                findings.append(
                    Finding(
                        .permissions, .warning, at: file.path, message: "owned by another user than its folder",
                        advice: "run chown on it; otherwise the app may not be able to write it",
                        numbers: ["owner": Int64(file.facts.owner), "folder_owner": Int64(owner)]))
            }
        }
        let count = groups.reduce(0) { $0 + $1.count }
        return findings.isEmpty
            ? [Finding(.permissions, .ok, at: inventory.path, message: "\(count) files not readable by other users")]
            : findings
    }

    /// Whether other users may enter a folder and all its parents.
    private static func isReachable(_ folder: String) -> Bool {
        var path = URL(fileURLWithPath: folder).standardizedFileURL.path
        while true {
            if let facts = FileFacts(path), facts.permissions & othersEnter == 0 { return false }
            guard path != "/", !path.isEmpty else { return true }
            path = FolderContent.folder(of: path)
        }
    }
}

/// Compares the free disk space with the log's size.
enum SpaceCheck {
    static func findings(_ inventory: LogInventory) -> [Finding] {
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: inventory.folder)  // nil: unknown
        guard let free = (attributes?[.systemFreeSize] as? NSNumber)?.int64Value else { return [] }
        let files = inventory.databases.flatMap(LogInventory.parts) + inventory.lineFiles.map(\.path)
        let size = files.reduce(Int64(0)) { $0 + (FileFacts($1)?.size ?? 0) }
        let needed = max(DoctorOptions.littleSpace, size)
        let isLittle = free < needed
        return [
            Finding(
                .freeSpace, isLittle ? .warning : .ok, at: inventory.folder,
                message: "\(free) bytes free, the log takes \(size)",
                advice: isLittle
                    ? "free \(needed - free) bytes: a rebuild or an erasure writes a second copy; see trackctl prune"
                    : nil,
                numbers: ["free": free, "size": size])
        ]
    }
}
