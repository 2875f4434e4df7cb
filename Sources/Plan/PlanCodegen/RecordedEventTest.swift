internal import JSONSchema
package import TrackingPlan

/// Writes a unit test that asserts a recorded event, with the type that is generated for it.
package enum RecordedEventTest {
    /// Returns a test for the event of a line.
    ///
    /// The test sends the event itself, so it passes as it is: the caller replaces that statement with code of the app.
    ///
    /// - Parameters:
    ///   - event: The event's JSON: `{"name": …, "value": …}`.
    ///   - plan: The plan whose newest version of the event has the generated type.
    /// - Throws: ``CodegenError`` if the plan has no such event, the newest version doesn't describe the event, or the
    ///   schema can't be translated to Swift.
    package static func source(_ event: [UInt8], in plan: EventPlan) throws(CodegenError) -> String {
        let expression = try expression(event, in: plan)
        let name = expression.event.name
        var source = SourceText()
        for module in ["Testing", "Tracking", module(of: name), "TrackingTesting"].compactMap({ $0 }) {
            source.line("import \(module)")
        }
        source.line()
        source.line("@Test(\(SwiftLiteral.string("\(name) fires")))")
        source.block("func \(expression.event.factoryName)Fires()") { source in
            source.line("let recorder = TrackingRecorder()")
            source.line("let tracker = Tracker.mock(recording: recorder)")
            source.line("let event = \(expression.text)")
            source.line("// Replace the next statement with the code of your app that sends the event.")
            source.line("tracker.send(event)")
            source.line("recorder.expect(event)")
        }
        return source.text
    }

    /// Returns the module of an event of the SDK whose type needs another import than `Tracking`.
    private static func module(of event: String) -> String? {
        if event == "search" { return "TrackingDomainEvents" }
        return EventSet.lifeCycle.has(event) ? "TrackingLifeCycle" : nil
    }

    private static func expression(_ bytes: [UInt8], in plan: EventPlan) throws(CodegenError)
        -> (text: String, event: EventType)
    {
        let document: JSONDocument
        do throws(JSONTextError) { document = try JSONDocument(bytes) } catch {
            throw CodegenError(.schemas, "the event is not JSON: \(error)")
        }
        guard let name = document.root["name"]?.string, let schema = plan.newest.first(where: { $0.name == name })
        else { throw CodegenError(.schemas, "the plan has no schema for this event: add one") }
        var reader = SchemaReader(schema, file: schema.path)
        guard let event = reader.event(), reader.issues.isEmpty else {
            throw CodegenError(.schemas, reader.issues.map(\.description).joined(separator: "\n"))
        }
        var writer = ExampleWriter(document, file: name)
        guard let text = writer.event(SchemaLocation(document), of: event) else {
            throw CodegenError(
                .schemas,
                "the newest version, \(schema.reference), does not describe this event, so its Swift type can't")
        }
        return (text, event)
    }
}
