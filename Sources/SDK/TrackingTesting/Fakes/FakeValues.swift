internal import FakeData
internal import JSONSchema
public import TrackingPlan

/// Generates any number of values that a JSON Schema allows, as JSON texts.
///
/// ```swift
/// for text in try FakeValues(schema: orderSchema, seed: 7).prefix(100) {
///     _ = try JSONDecoder().decode(Order.self, from: Data(text.utf8))
/// }
/// ```
///
/// Values satisfy the formats, too. The same seed gives the same values on every machine.
public struct FakeValues: Sequence, Sendable {
    private let schemas: SchemaSet
    private let seed: UInt64
    private let location: CodeLocation

    private static let uri = "schema:"

    /// Reads a schema of draft 2020-12.
    ///
    /// - Parameters:
    ///   - schema: The schema as JSON. References outside the schema are not supported.
    ///   - seed: The random seed.
    /// - Throws: `PlanError` with code `.notASchema` for an invalid schema, or if no value can be found.
    public init(
        schema: String, seed: UInt64 = 0,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) throws(PlanError) {
        var set = SchemaSet()
        do {
            try set.add(JSONDocument(schema.utf8), at: Self.uri)
        } catch {
            throw PlanError(.notASchema, "\(error)")
        }
        schemas = set
        self.seed = seed
        location = CodeLocation(fileID, filePath, line, column)
        do throws(FakeDataError) {
            try stream().prove()
        } catch {
            throw PlanError(.notASchema, error.message)
        }
    }

    private func stream() throws(FakeDataError) -> ValueStream {
        try ValueStream(schemas, at: Self.uri, named: "the schema", seed: seed)
    }

    /// Starts from the first value.
    public func makeIterator() -> Iterator {
        // It has already succeeded once, so no error is lost.
        Iterator(stream: try? stream(), location: location)
    }

    /// Generates values without an end. Not thread-safe.
    public struct Iterator: IteratorProtocol {
        let stream: ValueStream?
        let location: CodeLocation

        /// The next value. If a value cannot be generated, fails the test and ends the sequence.
        public func next() -> String? {
            do {
                return try stream?.withNext { String(decoding: $0, as: UTF8.self) }
            } catch {
                TestFailure.report("cannot generate a value: \(error)", at: location)
                return nil
            }
        }
    }
}
