package import EventModel
package import GRDB

/// An answer in a log, without the person's id.
package struct StoredAnswer: Hashable, Sendable {
    package let number: Int64
    package let time: EventTime
    /// The names of the purposes that it is for; empty for all.
    package let purposes: [String]
    /// 16 hexadecimal digits, which are computed from the person's id.
    package let key: String
    package let isGranted: Bool
    package let policy: String
    package let app: String?
}

/// Rows of the table `answers`: every answer, as the proof of consent.
package enum Answers {
    static func add(_ answer: ConsentAnswer, number: Int64, _ db: Database) throws {
        guard let person = answer.people.first else { return }
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO answers (number, time, key, is_granted, policy, app, purposes)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                number, answer.time.microseconds, Consents.digits(ConsentMirror.key(of: person)),
                answer.choice.isGranted,
                answer.policy.description, answer.app,
                answer.purposes.map { $0.map(\.name).joined(separator: " ") },
            ])
    }

    /// All answers, oldest first.
    package static func all(_ db: Database) throws -> [StoredAnswer] {
        return try Row.fetchAll(
            db, sql: "SELECT number, time, key, is_granted, policy, app, purposes FROM answers ORDER BY number, time"
        ).map { row in
            StoredAnswer(
                number: try row.decode(atIndex: 0), time: EventTime(microseconds: try row.decode(atIndex: 1)),
                purposes: (try row.decode(String?.self, atIndex: 6) ?? "").split(separator: " ").map(String.init),
                key: try row.decode(atIndex: 2), isGranted: try row.decode(atIndex: 3),
                policy: try row.decode(atIndex: 4),
                app: try row.decode(atIndex: 5))
        }
    }
}
