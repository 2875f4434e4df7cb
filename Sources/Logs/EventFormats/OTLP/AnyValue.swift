internal import JSONLines
internal import JSONSchema

extension JSONWriter {
    /// Writes a value as an AnyValue of OTLP/JSON.
    ///
    /// | value | AnyValue |
    /// |---|---|
    /// | a string | `stringValue` |
    /// | `true`, `false` | `boolValue` |
    /// | an integer that fits 64 bits | `intValue`, its digits as a string |
    /// | any other number | `doubleValue`, unchanged; `stringValue` if it exceeds the range of a double |
    /// | an array | `arrayValue` |
    /// | an object | `kvlistValue` |
    /// | `null` | an empty AnyValue |
    mutating func anyValue(_ value: JSONSpan) {
        beginObject()
        switch value.kind {
        case .string:
            key("stringValue")
            self.value(value)
        case .boolean:
            key("boolValue")
            self.value(value)
        case .number: anyNumber(value)
        case .array:
            key("arrayValue")
            beginObject()
            key("values")
            beginArray()
            for element in value.elements { anyValue(element) }
            endArray()
            endObject()
        case .object:
            key("kvlistValue")
            keyValues(value.members)
        default: break
        }
        endObject()
    }

    /// Writes a KeyValueList.
    private mutating func keyValues(_ members: some Sequence<(name: JSONSpan, value: JSONSpan)>) {
        beginObject()
        key("values")
        beginArray()
        for (name, value) in members {
            beginObject()
            key("key")
            self.value(name)
            key("value")
            anyValue(value)
            endObject()
        }
        endArray()
        endObject()
    }

    private mutating func anyNumber(_ number: JSONSpan) {
        let text = String(decoding: number.content, as: UTF8.self)
        if number.isWholeNumber, let integer = Int64(text) {
            key("intValue")
            string("\(integer)")
        } else if Double(text)?.isFinite == true {
            key("doubleValue")
            value(number)
        } else {
            key("stringValue")
            string(text)
        }
    }

    /// Writes a KeyValue with a value of the line.
    mutating func attribute(_ name: String, _ value: JSONSpan) {
        beginObject()
        key("key")
        string(name)
        key("value")
        anyValue(value)
        endObject()
    }

    /// Writes a KeyValue with members of an object.
    mutating func attribute(_ name: String, _ members: [(name: JSONSpan, value: JSONSpan)]) {
        beginObject()
        key("key")
        string(name)
        key("value")
        beginObject()
        key("kvlistValue")
        keyValues(members)
        endObject()
        endObject()
    }

    /// Writes a KeyValue with a part of a string, with its escapes.
    mutating func attribute(_ name: String, content: UnsafeBufferPointer<UInt8>) {
        beginObject()
        key("key")
        string(name)
        key("value")
        beginObject()
        key("stringValue")
        plainString(content)
        endObject()
        endObject()
    }
}
