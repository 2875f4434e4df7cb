internal import Foundation
internal import Primitives

/// Files and folders that hold events, with modes 0600 and 0700 whatever the umask. Before writing, checks the last
/// component of the path: rejects links, files of other users, and files with a second hard link. The app is
/// responsible for the permissions of the parent folders.
package enum PrivateFile {
    /// A path that must not be written to.
    package struct Refusal: Error, CustomStringConvertible {
        package let description: String
    }

    /// Opens a file, and removes other users' access to it.
    ///
    /// - Parameter flags: Flags for open(2); `O_NOFOLLOW` and `O_CLOEXEC` are added.
    /// - Throws: ``Refusal``; `SystemError`.
    package static func open(_ path: String, _ flags: CInt) throws -> CInt {
        let descriptor = Foundation.open(path, flags | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == EISDIR { throw Refusal(description: "cannot open \(path): it is a folder; move it away") }
            if errno == ELOOP || isLink(path) { throw linkRefusal(path) }
            throw SystemError("open", path: path)
        }
        do {
            try check(descriptor, path)
            return descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Removes other users' access to existing files, before SQLite opens them by name.
    ///
    /// Does not open the files: closing any descriptor of a database would release the locks that SQLite holds on it
    /// for another connection of this process (https://www.sqlite.org/howtocorrupt.html, 2.2).
    ///
    /// - Throws: ``Refusal``; `SystemError`.
    package static func tighten(_ paths: [String]) throws {
        for path in paths {
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            try check(status, path)
            guard status.st_mode & 0o077 == 0 || chmod(path, status.st_mode & 0o700) == 0 else {
                throw SystemError("chmod", path: path)
            }
        }
    }

    /// Creates an empty file if it does not exist.
    ///
    /// - Throws: `SystemError`.
    package static func makeIfMissing(_ path: String) throws {
        let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 || errno == EEXIST else { throw SystemError("open", path: path) }
        // The file is new, so no lock is released.
        if descriptor >= 0 { close(descriptor) }
    }

    /// Creates a folder, or checks that an existing folder belongs to this user.
    ///
    /// - Returns: Whether the folder was created.
    /// - Throws: ``Refusal``; `SystemError`.
    @discardableResult
    package static func makeFolder(_ path: String) throws -> Bool {
        if mkdir(path, 0o700) == 0 { return true }
        guard errno == EEXIST else { throw SystemError("mkdir", path: path) }
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return false }
            throw SystemError("lstat", path: path)
        }
        if status.st_mode & S_IFMT == S_IFLNK { throw linkRefusal(path) }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw Refusal(description: "cannot use \(path): it is not a folder; move it away")
        }
        try checkOwner(status, path)
        guard status.st_mode & 0o077 == 0 || chmod(path, 0o700) == 0 else { throw SystemError("chmod", path: path) }
        return false
    }

    private static func check(_ descriptor: CInt, _ path: String) throws {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemError("fstat", path: path) }
        try check(status, path)
        guard status.st_mode & 0o077 == 0 || fchmod(descriptor, status.st_mode & 0o700) == 0 else {
            throw SystemError("fchmod", path: path)
        }
    }

    private static func check(_ status: stat, _ path: String) throws {
        if status.st_mode & S_IFMT == S_IFLNK { throw linkRefusal(path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Refusal(description: "cannot open \(path): it is not a regular file; choose another path")
        }
        try checkOwner(status, path)
        guard status.st_nlink <= 1 else {
            throw Refusal(
                description: "cannot open \(path): its \(status.st_nlink) hard links let others change it; copy it")
        }
    }

    private static func checkOwner(_ status: stat, _ path: String) throws {
        guard status.st_uid == geteuid() else {
            throw Refusal(
                description: "cannot open \(path): it belongs to user \(status.st_uid), but this is user \(geteuid()); "
                    + "run as that user or change the owner")
        }
    }

    private static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    private static func linkRefusal(_ path: String) -> Refusal {
        Refusal(description: "cannot open \(path): it is a symbolic link; use the path of the file itself")
    }
}
