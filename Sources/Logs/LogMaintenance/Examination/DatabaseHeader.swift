internal import EventLog
internal import Foundation

/// The header of a database file: https://www.sqlite.org/fileformat.html#the_database_header
package struct DatabaseHeader: Hashable, Sendable {
    package enum Owner: Sendable {
        /// An event log.
        case eventLog
        /// An empty database without an application id, which can become an event log.
        case unclaimed
        /// A database of another program.
        case other
    }

    package let owner: Owner
    /// The version of the log's tables.
    package let version: Int
    /// The page size in bytes.
    package let pageSize: Int
    package let freePages: Int
    /// An error in the file's length; nil if there is none.
    package let lengthIssue: String?

    /// Reads the header of a file; nil if it is not a database.
    package init?(path: String) {
        // An unreadable file has no header.
        let head = DatabaseFile.head(path, count: 100)
        guard head.count == 100, head.starts(with: Array("SQLite format 3\0".utf8))
        else { return nil }
        func number(_ range: Range<Int>) -> Int { head[range].reduce(0) { $0 << 8 | Int($1) } }
        switch number(68..<72) {
        case Int(DatabaseSchema.applicationID): owner = .eventLog
        // The schema's change counter is 0 before the first table.
        case 0 where number(40..<44) == 0: owner = .unclaimed
        default: owner = .other
        }
        version = number(60..<64)
        pageSize = number(16..<18) == 1 ? 65536 : number(16..<18)
        freePages = number(36..<40)
        lengthIssue = SalvageSource.issue(ofLengthOf: path)
    }
}
