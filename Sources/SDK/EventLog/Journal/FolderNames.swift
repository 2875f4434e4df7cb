internal import Foundation

/// Lists folders that may be missing.
package enum FolderNames {
    /// The names of the files in a folder, unsorted; empty if the folder is missing or cannot be read.
    ///
    /// The only thing lost is whether it is missing or unreadable. Call this where both mean that there is nothing to do;
    /// otherwise call `FileManager.contentsOfDirectory(atPath:)`.
    package static func readable(in folder: String) -> [String] {
        do { return try FileManager.default.contentsOfDirectory(atPath: folder) } catch { return [] }
    }
}
