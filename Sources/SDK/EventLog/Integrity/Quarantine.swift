internal import Foundation

/// Puts damaged files aside, with the reason: into a new folder `….damaged-1`, `….damaged-2` … beside the database.
/// Nothing is ever deleted there.
enum Quarantine {
    /// How a file gets there.
    enum Way {
        /// Somebody may still be writing it.
        case copy
        case move
    }

    /// Puts files aside. A file that is not there is left out.
    ///
    /// - Returns: The new folder.
    /// - Throws: Foundation's errors.
    @discardableResult
    static func put(_ files: [String], by way: Way, reason: String, database: String) throws -> String {
        let folder = try makeFolder(database)
        // First: whoever ends on the way leaves the reason, and the files where they are.
        try Data((reason + "\n").utf8).write(to: URL(fileURLWithPath: folder + "/reason.txt"))
        for file in files where FileManager.default.fileExists(atPath: file) {
            let target = folder + "/" + URL(fileURLWithPath: file).lastPathComponent
            switch way {
            case .copy: try FileManager.default.copyItem(atPath: file, toPath: target)
            case .move: try FileManager.default.moveItem(atPath: file, toPath: target)
            }
        }
        return folder
    }

    private static func makeFolder(_ database: String) throws -> String {
        var number = 1
        while true {
            let folder = "\(database).damaged-\(number)"
            if mkdir(folder, 0o777) == 0 { return folder }
            guard errno == EEXIST else { throw SystemError("mkdir", path: folder) }
            number += 1
        }
    }
}
