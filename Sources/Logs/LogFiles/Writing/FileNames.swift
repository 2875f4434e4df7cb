internal import Primitives

/// Names of files, synced to the disk.
package enum FileNames {
    /// Gives a complete draft its final name.
    ///
    /// - Parameter descriptor: The draft, open for writing; nil if its bytes are on the disk already.
    /// - Throws: ``LogFileError``, `cannotWrite`.
    package static func publish(_ draft: String, as path: String, syncing descriptor: Int32? = nil) throws {
        do { try SystemCalls().publish(draft, as: path, syncing: descriptor) } catch let error as SystemError {
            throw LogFileError.writing(error.path == draft ? path : error.path, error.code)
        }
    }

    /// Syncs the folder that contains a file.
    ///
    /// - Throws: ``LogFileError``, `cannotWrite`.
    package static func sync(folderOf path: String) throws {
        do { try SystemCalls().syncFolder(of: path) } catch let error as SystemError {
            throw LogFileError.writing(error.path, error.code)
        }
    }
}
