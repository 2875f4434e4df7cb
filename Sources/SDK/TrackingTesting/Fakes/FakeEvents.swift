internal import FakeData
internal import Foundation
public import TrackingCore
public import TrackingPlan

/// Events that a plan allows, as many as one asks for: what a test feeds to whatever reads events.
///
/// ```swift
/// for event in try FakeEvents("search", seed: 7).prefix(100) {
///     let search = try event.decode(SearchRow.self)
///     #expect(search.page >= 1)
/// }
/// ```
///
/// They form a log of a few users: sessions that begin with `launch` and end with `background`, numbers without gaps, times
/// in order. Everything satisfies its schema. The same seed gives the same events on every machine.
public struct FakeEvents: Sequence, Sendable {
    private let plan: CompiledPlan
    private let schemas: [PlanSchema]
    private let options: FakeLog.Options
    private let location: CodeLocation

    /// Chooses events.
    ///
    /// - Parameters:
    ///   - names: The events; all of the plan, the newest version of each, if there is none.
    ///   - plan: What events there are: those of the SDK unless given.
    ///   - seed: Another one, other events.
    ///   - users: How many users send them.
    /// - Throws: `PlanError` with code `.notASchema` for a plan without such an event, and for a schema that no value was
    ///   found of.
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
        // What nothing can be made of shows here, and not in the midst of a test.
        do throws(FakeDataError) { _ = try log() } catch { throw PlanError(.notASchema, error.description) }
    }

    private func log() throws(FakeDataError) -> FakeLog { try FakeLog(plan, of: schemas, options: options) }

    /// Starts from the first event.
    public func makeIterator() -> Iterator {
        // It was made before: nothing is lost.
        Iterator(log: try? log(), location: location)
    }

    /// Gives one event after the other, without an end. One thread at a time uses it.
    public struct Iterator: IteratorProtocol {
        let log: FakeLog?
        let location: CodeLocation

        /// The next event. One that cannot be made fails the test, and ends the sequence.
        public func next() -> FakeEvent? {
            do {
                return try log?.withNextLine { bytes in
                    let event = try JSONParser.parse(bytes)["event"]
                    return FakeEvent(
                        name: event?["name"]?.stringValue ?? "", line: String(decoding: bytes, as: UTF8.self),
                        value: event?["value"] ?? .null)
                }
            } catch {
                TestFailure.report("no event could be made: \(error)", at: location)
                return nil
            }
        }
    }
}

/// An event that a plan allows, made by chance: see ``FakeEvents``.
public struct FakeEvent: Sendable {
    /// Its name: `search`.
    public let name: String
    /// The whole line, as the SDK would write it, without a line feed.
    public let line: String
    /// Its `value` on the wire; `.null` for an event that has none.
    public let value: JSONValue

    /// Reads the event's value into a type of the app: an event that is `Decodable`, too, or what a screen is made of.
    ///
    /// - Throws: `DecodingError`.
    public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        var json = JSONWriter()
        try (value == .null ? .object([:]) : value).write(to: &json)
        return try JSONDecoder().decode(type, from: Data(json.bytes))
    }
}
