internal import Foundation
package import GRDB

/// A text with all of its characters, as a BLOB: GRDB binds and reads a `String` only up to its first U+0000, which clients
/// of earlier versions could send.
///
/// In SQL, use `CAST(? AS TEXT)` for an argument, and `CAST(column AS BLOB)` for a result.
package struct ExactText: DatabaseValueConvertible {
    package let text: String

    package init(_ text: String) { self.text = text }

    // SQLite reads an empty `Data` as null.
    package var databaseValue: DatabaseValue {
        text.isEmpty ? text.databaseValue : Data(text.utf8).databaseValue
    }

    package static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
        Data.fromDatabaseValue(value).map { Self(String(decoding: $0, as: UTF8.self)) }
    }
}

extension Row {
    /// The text in a column that the query has cast to a BLOB.
    package func text(_ column: Int) -> String { (self[column] as ExactText).text }
}
