package import Foundation
import GRDBSQLite

/// Reads a database file that this process may have open.
package enum DatabaseFile {
    /// `SQLITE_IOERR_SHORT_READ`, a macro that Swift does not see.
    private static let shortRead = SQLITE_IOERR | 2 << 8

    /// Reads the first bytes; fewer if the file is shorter, none if it cannot be read.
    ///
    /// SQLite does the reading. Opening and closing the file directly would release the locks that SQLite holds on it
    /// for other connections of the process, because the system counts locks by process and file, not by descriptor
    /// (https://www.sqlite.org/howtocorrupt.html, 2.2).
    package static func head(_ path: String, count: Int) -> Data {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return Data() }
        var connection: OpaquePointer?
        defer { sqlite3_close_v2(connection) }
        guard sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK else {
            return Data()
        }
        var file: UnsafeMutablePointer<sqlite3_file>?
        let isKnown = withUnsafeMutablePointer(to: &file) {
            sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, $0) == SQLITE_OK
        }
        guard isKnown, let file, let read = file.pointee.pMethods?.pointee.xRead else { return Data() }
        let length = min(count, Int(status.st_size))
        var bytes = Data(count: length)
        // Fills up with zeros if the file was truncated meanwhile.
        let code = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress, CInt(length), 0) }
        return code == SQLITE_OK || code == shortRead ? bytes : Data()
    }
}
