internal import EventModel
import GRDB

/// The column `purposes` of the table `log`: the purposes that events, answers or policies of the log have named.
enum LogPurposes {
    /// Without ``/EventModel/Purpose/exempt``, for which no person answers.
    static func all(_ db: Database) throws -> [Purpose] {
        let names = try String.fetchOne(db, sql: "SELECT purposes FROM log") ?? ""
        return names.split(separator: " ").map { Purpose(String($0)) }
    }

    /// Adds purposes.
    ///
    /// - Returns: All purposes.
    static func add(_ purposes: [Purpose], _ db: Database) throws -> [Purpose] {
        let known = try all(db)
        let new = Set(purposes).subtracting(known + [.exempt]).sorted { $0.name < $1.name }
        guard !new.isEmpty else { return known }
        try db.execute(
            sql: "UPDATE log SET purposes = ?", arguments: [(known + new).map(\.name).joined(separator: " ")])
        return known + new
    }
}

extension Purpose {
    /// A value of a column `purpose`.
    init(column: String?) { self = column.map { Purpose($0) } ?? .analytics }

    /// nil for analytics, the purpose of all events that were stored before purposes existed.
    var column: String? { self == .analytics ? nil : name }
}
