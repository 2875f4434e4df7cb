internal import EventLog
internal import EventModel
internal import Foundation

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
