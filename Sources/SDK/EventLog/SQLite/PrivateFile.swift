internal import Foundation

/// Files and folders with events in them: 0600 and 0700, whatever the umask says. Before anything is written, the last
/// part of the path is looked at: no link is followed, and what belongs to somebody else, or has a second name, is
/// refused. What the folders above allow is the app's business.
package enum PrivateFile {
    /// A path that is not to be written to.
    package struct Refusal: Error, CustomStringConvertible {
        package let description: String
    }

    /// Opens a file, and takes from others what they may do with it.
    ///
    /// - Parameter flags: For open(2); `O_NOFOLLOW` and `O_CLOEXEC` are added.
    /// - Throws: ``Refusal``; ``SystemError``.
    package static func open(_ path: String, _ flags: CInt) throws -> CInt {
        let descriptor = Foundation.open(path, flags | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == EISDIR { throw Refusal(description: "\(path) is a folder: move it away") }
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

    /// Closes files to others, as far as they are there, before something that opens them by their names does.
    ///
    /// They are not opened here: closing any descriptor of a database would give back the locks that SQLite holds on it for
    /// another connection of this process (https://www.sqlite.org/howtocorrupt.html, 2.2).
    ///
    /// - Throws: ``Refusal``; ``SystemError``.
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

    /// Makes an empty file, unless there is one.
    ///
    /// - Throws: ``SystemError``.
    package static func makeIfMissing(_ path: String) throws {
        let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 || errno == EEXIST else { throw SystemError("open", path: path) }
        // New, so there is no lock on it.
        if descriptor >= 0 { close(descriptor) }
    }

    /// Makes a folder, or makes sure that one is ours.
    ///
    /// - Returns: Whether it was made.
    /// - Throws: ``Refusal``; ``SystemError``.
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
            throw Refusal(description: "\(path) is no folder: move it away")
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
            throw Refusal(description: "\(path) is not a regular file: name another path")
        }
        try checkOwner(status, path)
        guard status.st_nlink <= 1 else {
            throw Refusal(
                description: "\(path) has \(status.st_nlink) names (hard links), so others could change it: copy it")
        }
    }

    private static func checkOwner(_ status: stat, _ path: String) throws {
        guard status.st_uid == geteuid() else {
            throw Refusal(
                description: "\(path) belongs to user \(status.st_uid), and this process runs as user \(geteuid()): "
                    + "run it as that user, or change the owner")
        }
    }

    private static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    private static func linkRefusal(_ path: String) -> Refusal {
        Refusal(description: "\(path) is a symbolic link, which is not followed: name the file itself")
    }
}
