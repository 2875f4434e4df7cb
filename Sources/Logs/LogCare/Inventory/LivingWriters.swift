internal import EventLog
internal import EventModel
internal import Foundation

/// Tells whether a process has a log of a folder open: then it may be writing any file of lines beside it.
enum LivingWriters {
    private static let suffix = ".journal"

    /// Whether there is one, or nobody can tell.
    static func exist(in folder: String) -> Bool {
        FolderContent.paths(folder).contains { path in
            guard path.hasSuffix(suffix), FileFacts(path)?.isFolder == true else { return false }
            // Whoever may not look into it cannot tell.
            guard access(path, R_OK | X_OK) == 0 else { return true }
            do {
                let journals = try JournalExamination(
                    database: String(path.dropLast(suffix.count)), after: EventRecord.highestSeq)
                return journals?.rings.contains { $0.isAlive || $0.newerVersion != nil } ?? false
            } catch {
                return true
            }
        }
    }
}
