internal import Foundation

/// Names what damaged or cut-short operations have left behind.
enum LeftoverCheck {
    static func findings(_ inventory: LogInventory) -> [Finding] {
        var findings = inventory.quarantines.map { folder in
            Finding(
                .leftovers, .note, folder, "files that were put aside as damaged; reason.txt says why",
                advice: "keep them until nobody asks for what they hold, then remove the folder")
        }
        for file in inventory.lineFiles {
            switch file.role {
            case .setAside:
                findings.append(
                    Finding(
                        .leftovers, .note, file.path, "a file that was put aside as damaged",
                        advice: "compare it with the files beside it, then remove it"))
            case .partial:
                findings.append(
                    Finding(
                        .leftovers, .warning, file.path, "a file that was never finished",
                        advice: file.path.hasSuffix(".resume.partial")
                            ? "run the replay again that left it, with its --resume, or remove it"
                            : "if nobody is writing it, remove it and run what wrote it again"))
            case .deadLetters where (FileFacts(file.path)?.size ?? 0) > 0:
                findings.append(
                    Finding(
                        .leftovers, .warning, file.path, "events that were refused",
                        advice: "see why, mend it and deliver them again, or remove the file"))
            default: break
            }
        }
        findings += inventory.leftovers.map { path in
            Finding(
                .leftovers, .note, path, "a working copy of a salvage or an erasure that was cut short",
                advice: "run trackctl prune --user again if it was an erasure; else open the log, then remove it")
        }
        return findings.isEmpty ? [Finding(.leftovers, .ok, inventory.path, "none")] : findings
    }
}

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

/// Compares the room on the disk with the log's size.
enum SpaceCheck {
    static func findings(_ inventory: LogInventory) -> [Finding] {
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: inventory.folder)  // nil: not told
        guard let free = (attributes?[.systemFreeSize] as? NSNumber)?.int64Value else { return [] }
        let files = inventory.databases.flatMap(LogInventory.parts) + inventory.lineFiles.map(\.path)
        let size = files.reduce(Int64(0)) { $0 + (FileFacts($1)?.size ?? 0) }
        let needed = max(DoctorOptions.littleSpace, size)
        let isLittle = free < needed
        return [
            Finding(
                .freeSpace, isLittle ? .warning : .ok, inventory.folder,
                "\(free) bytes are free, the log takes \(size)",
                advice: isLittle
                    ? "free \(needed - free) bytes: a salvage or an erasure writes a second copy; trackctl prune helps"
                    : nil,
                numbers: ["free": free, "size": size])
        ]
    }
}
