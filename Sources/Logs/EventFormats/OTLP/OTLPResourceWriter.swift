internal import JSONLines
internal import JSONSchema

/// Writes a `ResourceLogs` up to where its records go; ``OTLPFormat`` says what stands where.
enum OTLPResourceWriter {
    /// The start of a resource, which `]}]}` ends.
    static func start(_ members: ContainerMembers) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("resource")
        json.beginObject()
        json.key("attributes")
        json.beginArray()
        attributes(members, to: &json)
        json.endArray()
        json.endObject()
        json.key("scopeLogs")
        json.beginArray()
        json.beginObject()
        json.key("scope")
        scope(members.context?.member("sdk", .string), to: &json)
        json.key("logRecords")
        json.beginArray()
        return json.bytes
    }

    private static func attributes(_ members: ContainerMembers, to json: inout JSONWriter) {
        if let app = members.context?.member("app", .string)?.product {
            json.attribute("service.name", content: app.name)
            if let version = app.version { json.attribute("service.version", content: version) }
        } else {
            ("unknown_service" as StaticString).withUTF8Buffer { json.attribute("service.name", content: $0) }
        }
        if let installID = members.installID { json.attribute("service.instance.id", installID) }
        if let system = members.context?.member("os", .string) { json.attribute("os.description", system) }
        if let context = members.context { json.attribute("tracking.context", context) }
    }

    private static func scope(_ sdk: JSONSpan?, to json: inout JSONWriter) {
        json.beginObject()
        json.key("name")
        if let (name, version) = sdk?.product {
            json.plainString(name)
            if let version {
                json.key("version")
                json.plainString(version)
            }
        } else {
            json.string("swift-tracking")
        }
        json.endObject()
    }
}
