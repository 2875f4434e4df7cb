internal import JSONLines
internal import JSONSchema

/// Reads rows of a warehouse: the JSON objects that ``WarehouseRowWriter`` writes, and those of the table `numbers`.
package struct WarehouseRowReader: Sendable {
    private var reader = LineReader()

    package init() {}

    /// Parses a row, and calls `body` with it.
    ///
    /// - Parameter row: The object's bytes without the line feed.
    /// - Returns: nil if the text is not an object.
    /// - Throws: Everything that `body` throws. Complexity: O(bytes).
    package mutating func read<Result>(
        _ row: UnsafeRawBufferPointer, _ body: (WarehouseRow) throws -> Result
    ) throws -> Result? {
        do { return try reader.read(row) { try body(WarehouseRow(span: $0)) } } catch is JSONSyntaxError { return nil }
    }
}

/// A row of a warehouse, valid only while ``WarehouseRowReader/read(_:_:)`` calls its closure.
package struct WarehouseRow {
    fileprivate let span: JSONSpan

    /// Calls `body` with the UTF-8 of a text, without escapes; nil if the column is missing or has another type.
    package func withText<Result>(_ column: StaticString, _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        span.member(column, .string)?.withText { body(UnsafeRawBufferPointer($0)) }
    }

    package func text(_ column: StaticString) -> String? { withText(column) { String(decoding: $0, as: UTF8.self) } }

    /// A whole number; nil if the column is missing or has another type.
    package func number(_ column: StaticString) -> Int64? {
        span.member(column, .number).flatMap { Int64(String(decoding: $0.content, as: UTF8.self)) }
    }
}
