import EventModel
import EventQuery
import Testing

@Suite("Steps of a funnel")
struct EventStepTests {
    private func steps(_ source: String) throws -> [EventStep] {
        try EventStep.list(source, now: EventTime(microseconds: 0))
    }

    /// Whether an event matches the only step.
    private func takes(_ source: String, _ event: String) throws -> Bool {
        let step = try #require(try steps(source).first)
        let scanner = EventLineScanner(step.members)
        return try Array(#"{"time":7,"event":\#(event)}"#.utf8).withUnsafeBytes { step.matches(try scanner.scan($0)) }
    }

    @Test("are separated by >, but not within quotes and braces")
    func list() throws {
        let source = #" search >page-view : "a > b"> x*{event.value.n > 1 && .k == "}"} >"a:b" "#
        #expect(
            try steps(source).map(\.source) == [
                "search", #"page-view : "a > b""#, #"x*{event.value.n > 1 && .k == "}"}"#, #""a:b""#,
            ])
    }

    @Test(
        "match events by name, value and condition",
        arguments: [
            ("search", #"{"name":"search"}"#, true), ("search", #"{"name":"searches"}"#, false),
            ("s*", #"{"name":"searches"}"#, true), (#""s*""#, #"{"name":"searches"}"#, false),
            ("v:detail", #"{"name":"v","value":{"n":1,"page":"detail"}}"#, true),
            ("v:detail", #"{"name":"v","value":{"page":"details"}}"#, false),
            ("v:detail", #"{"name":"v","value":{"a":{"page":"detail"}}}"#, false),
            ("v:detail", #"{"name":"v","value":"detail"}"#, true), ("v:detail", #"{"name":"v"}"#, false),
            ("v:7", #"{"name":"v","value":{"n":7}}"#, false),
            ("v:de tail", #"{"name":"v","value":["de tail"]}"#, false),
            ("v: de tail ", #"{"name":"v","value":{"x":"de tail"}}"#, true),
            ("v:\"\\u0061\"", #"{"name":"v","value":{"x":"\u0061"}}"#, true),
            ("v:a{event.value.n >= 2}", #"{"name":"v","value":{"x":"a","n":2}}"#, true),
            ("v:a{event.value.n >= 2}", #"{"name":"v","value":{"x":"a","n":1}}"#, false),
            ("*{time > 6}", #"{"name":"v"}"#, true), ("*{time > 7}", #"{"name":"v"}"#, false),
        ])
    func takes(source: String, event: String, isTaken: Bool) throws {
        #expect(try takes(source, event) == isTaken)
    }

    @Test(
        "that are invalid are rejected with their column and a correction",
        arguments: [
            ("", 0, "expected an event's name, such as search"),
            ("a > > b", 4, "expected an event's name, such as search"),
            ("a >", 3, "expected an event's name, such as search"),
            ("a: > b", 3, "expected a text of the event's value, such as page-view:search"),
            ("a } b", 2, "expected '>' and the next step, or the end"),
            ("a{time > 1", 1, "this brace is never closed"),
            ("a > b{event.name = 'x'}", 17, "write == to compare"),
            ("a > \"b", 4, "missing closing quote"),
        ])
    func refused(source: String, offset: Int, reason: String) throws {
        let error = #expect(throws: TypedTextError.self) { try steps(source) }
        #expect(
            error?.source == source && error?.offset == offset && error?.reason == reason,
            "\(String(describing: error))")
    }
}
