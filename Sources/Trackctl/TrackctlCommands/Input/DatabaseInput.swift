internal import CommandSupport
internal import LogFiles

/// Tells databases from files of lines.
enum DatabaseInput {
    /// Whether a file is a database.
    ///
    /// - Throws: ``CommandFailure``, `dataAtFault`, for a database that cannot be opened, and for a file that has nothing
    ///   of a database but the name.
    static func isOne(_ file: LogFileBlocks, path: String) throws -> Bool {
        if file.format == .sqlite {
            guard file.isRegularFile else {
                throw CommandFailure(
                    .dataAtFault,
                    "\(file.name) carries an SQLite database, which must be a file: name that file instead")
            }
            return true
        }
        guard !LogPaths.isNamedLikeDatabase(path) else {
            throw CommandFailure(
                .dataAtFault,
                "\(path) is named like a database but is not an SQLite database: rename it if it holds JSON lines")
        }
        return false
    }
}
