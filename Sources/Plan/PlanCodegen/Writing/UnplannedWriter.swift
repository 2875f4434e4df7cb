internal import TrackingPlan

/// Writes an event without a schema as a Swift type whose properties are arbitrary JSON.
struct UnplannedWriter {
    let event: UnplannedList.Event
    let access: Access

    /// The name of the type. Lists with names that cannot be translated are rejected earlier.
    var typeName: String { event.typeName ?? event.name }

    /// Adds the declarations.
    func write(to source: inout SourceText) {
        let until = event.until.map { " until \($0)" } ?? ""
        let note = "Unplanned: allowed without a schema\(until)"
        let prefix = access.prefix
        source.documentation([event.description, note])
        source.block("\(prefix)struct \(typeName): TrackingEvent, Equatable") { source in
            source.line("\(prefix)static let name = \(SwiftLiteral.string(event.name))")
            source.line("\(prefix)static let isPlanned = false")
            source.line()
            source.line("/// The properties of the event.")
            source.line("\(prefix)let properties: [String: JSONValue]")
            source.line()
            source.line("/// Creates the event.")
            source.block("\(prefix)init(properties: [String: JSONValue] = [:])") {
                $0.line("self.properties = properties")
            }
            source.line()
            source.line("/// Writes the properties as one JSON object.")
            source.block("\(prefix)func writeValue(to json: inout JSONWriter) throws") {
                $0.line("try JSONValue.object(properties).write(to: &json)")
            }
            source.line()
            source.line("/// Encodes the properties with any encoder.")
            source.block("\(prefix)func encode(to encoder: any Encoder) throws") {
                $0.line("try properties.encode(to: encoder)")
            }
        }
        source.line()
        source.block("extension TrackingEvent where Self == \(typeName)") { source in
            source.documentation([event.description, note])
            let name = SwiftName.escaped(event.factoryName ?? event.name)
            source.block("\(prefix)nonisolated static func \(name)(_ properties: [String: JSONValue] = [:]) -> Self") {
                $0.line("\(typeName)(properties: properties)")
            }
        }
    }
}
