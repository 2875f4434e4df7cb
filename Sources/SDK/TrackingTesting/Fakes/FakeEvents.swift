internal import FakeData
internal import Foundation
public import TrackingCore
public import TrackingPlan

/// Generates any number of events that a plan allows. Use them as input for code that reads events.
///
/// ```swift
/// for event in try FakeEvents("search", seed: 7).prefix(100) {
///     let search = try event.decode(SearchRow.self)
///     #expect(search.page >= 1)
/// }
/// ```
///
/// The events form a log of a few users: sessions begin with `launch` and end with `background`, numbers have no gaps,
/// times increase. All values satisfy their schemas. The same seed gives the same events on every machine.
public struct FakeEvents: Sequence, Sendable {
    private let plan: CompiledPlan
    private let schemas: [PlanSchema]
    private let options: FakeLog.Options
    private let location: CodeLocation

    /// Selects the events.
    ///
    /// - Parameters:
    ///   - names: The events. Default: all events of the plan, the newest version of each.
    ///   - plan: The plan. Default: the standard events of the SDK.
    ///   - seed: The random seed.
    ///   - users: The number of users that send events.
    /// - Throws: `PlanError` with code `.notASchema` if the plan lacks an event, or no value can be found for a schema.
    public init(
        _ names: String..., in plan: EventPlan = .standard, seed: UInt64 = 0, users: Int = 3,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) throws(PlanError) {
        self.plan = try CompiledPlan(plan)
        schemas = names.isEmpty ? plan.newest : plan.newest.filter { names.contains($0.name) }
        for name in names where !schemas.contains(where: { $0.name == name }) {
            throw PlanError(
                .notASchema, "the plan has no event \(name): it has \(plan.newest.map(\.name).joined(separator: ", "))")
        }
        var options = FakeLog.Options()
        options.seed = seed
        options.users = users
        self.options = options
        location = CodeLocation(fileID, filePath, line, column)
        // Reports schemas without a possible value here, not in the middle of a test.
        do throws(FakeDataError) { _ = try log() } catch { throw PlanError(.notASchema, error.message) }
    }

    private func log() throws(FakeDataError) -> FakeLog { try FakeLog(plan, of: schemas, options: options) }

    /// Starts from the first event.
    public func makeIterator() -> Iterator {
        // It has already succeeded once, so no error is lost.
        Iterator(log: try? log(), location: location)
    }

    /// Generates events without an end. Not thread-safe.
    public struct Iterator: IteratorProtocol {
        let log: FakeLog?
        let location: CodeLocation

        /// The next event. If an event cannot be generated, fails the test and ends the sequence.
        public func next() -> FakeEvent? {
            do {
                return try log?.withNextLine { bytes in
                    let event = try JSONParser.parse(bytes)["event"]
                    return FakeEvent(
                        name: event?["name"]?.stringValue ?? "", line: String(decoding: bytes, as: UTF8.self),
                        value: event?["value"] ?? .null)
                }
            } catch {
                TestFailure.report("cannot generate an event: \(error)", at: location)
                return nil
            }
        }
    }
}

/// A random event that a plan allows: see ``FakeEvents``.
public struct FakeEvent: Sendable {
    /// The event's name: `search`.
    public let name: String
    /// The complete line as the SDK would write it, without a line feed.
    public let line: String
    /// The event's `value` on the wire; `.null` for an event without one.
    public let value: JSONValue

    /// Decodes the event's value to a type of the app: an event that is also `Decodable`, or a model of a screen.
    ///
    /// - Throws: `DecodingError`.
    public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        var json = JSONWriter()
        try (value == .null ? .object([:]) : value).write(to: &json)
        return try JSONDecoder().decode(type, from: Data(json.bytes))
    }
}
