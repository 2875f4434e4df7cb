internal import EventLog
internal import Foundation

/// What the first page of a database file says: https://www.sqlite.org/fileformat.html#the_database_header
package struct DatabaseHeader: Hashable, Sendable {
    /// Whose file it is.
    package enum Owner: Sendable {
        /// An event log.
        case eventLog
        /// A database without a mark and without a table: an event log may be made of it.
        case nobody
        /// Another program's.
        case other
    }

    /// Whose file it is.
    package let owner: Owner
    /// The version of the log's tables.
    package let version: Int
    /// Bytes of a page.
    package let pageSize: Int
    /// Pages that hold nothing.
    package let freePages: Int
    /// Whether free pages can be given back a few at a time.
    package let shrinks: Bool
    /// What is wrong with the file's length; nil if nothing is.
    package let lengthIssue: String?

    /// Reads the header of a file; nil if it does not start as a database does.
    package init?(path: String) {
        // Nil: a file that cannot be read says nothing.
        let head = DatabaseFile.head(path, count: 100)
        guard head.count == 100, head.starts(with: Array("SQLite format 3\0".utf8))
        else { return nil }
        func number(_ range: Range<Int>) -> Int { head[range].reduce(0) { $0 << 8 | Int($1) } }
        switch number(68..<72) {
        case Int(DatabaseSchema.applicationID): owner = .eventLog
        // The change counter of the schema: 0 before the first table.
        case 0 where number(40..<44) == 0: owner = .nobody
        default: owner = .other
        }
        version = number(60..<64)
        pageSize = number(16..<18) == 1 ? 65536 : number(16..<18)
        freePages = number(36..<40)
        shrinks = number(64..<68) != 0
        lengthIssue = SalvageSource.issue(ofLengthOf: path)
    }
}
