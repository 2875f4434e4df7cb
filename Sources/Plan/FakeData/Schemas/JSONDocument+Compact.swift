internal import JSONLines
internal import JSONSchema

extension JSONDocument.Value {
    /// The value without white space, with numbers as written.
    var compact: [UInt8] {
        var json = JSONWriter()
        write(to: &json)
        return json.bytes
    }

    private func write(to json: inout JSONWriter) {
        switch kind {
        case .object:
            json.beginObject()
            for member in members {
                json.key(member.name)
                member.value.write(to: &json)
            }
            json.endObject()
        case .array:
            json.beginArray()
            for element in elements { element.write(to: &json) }
            json.endArray()
        case .string: json.string(string ?? "")
        default: json.value(Array(source))
        }
    }
}

extension String {
    /// The text as a JSON string with quotes.
    var asJSON: [UInt8] {
        var json = JSONWriter()
        json.string(self)
        return json.bytes
    }
}
