internal import Foundation
internal import JSONLines

/// The log records of an `ExportLogsServiceRequest`, as messages.
///
/// Source: `opentelemetry/proto/logs/v1/logs.proto` and `common/v1/common.proto`, version 1.3. Every field is read.
/// A record's message has these members, without those that the record lacks:
///
/// | member | value |
/// |---|---|
/// | `time_us`, `observed_time_us` | microseconds since 1970 |
/// | `time_unix_nano`, `observed_time_unix_nano` | the same, unshortened, as strings of digits |
/// | `severity_number`, `severity_text`, `event_name`, `flags`, `dropped_attributes_count` | as in the record |
/// | `trace_id`, `span_id` | hexadecimal digits |
/// | `body`, `attributes` | JSON; bytes in Base64; integers beyond ±(2^53 − 1) and numbers that are not finite as strings |
/// | `resource`, `scope` | the attributes of the resource; `name`, `version`, `attributes` of the scope |
struct LogRecords {
    private(set) var messages: [ClientMessage] = []
    /// Whether there are more records than the limit; the others are not read.
    private(set) var hasMore = false
    private let limit: Int

    /// - Throws: ``ProtobufReader/Malformed``.
    init(_ bytes: [UInt8], limit: Int = .max) throws(ProtobufReader.Malformed) {
        self.limit = limit
        try Self.forEachMessage(1, in: bytes[...]) { resourceLogs throws(ProtobufReader.Malformed) in
            try addResource(resourceLogs)
        }
    }

    private mutating func addResource(_ bytes: ArraySlice<UInt8>) throws(ProtobufReader.Malformed) {
        var resource: [UInt8] = []
        var schema: String?
        var scopes: [ArraySlice<UInt8>] = []
        try Self.forEachField(in: bytes) { number, value throws(ProtobufReader.Malformed) in
            switch (number, value) {
            // Parts of a message are merged by concatenation.
            case (1, .bytes(let part)): resource += part
            case (2, .bytes(let part)): scopes.append(part)
            case (3, .bytes(let part)): schema = try Self.text(part)
            default: break
            }
        }
        var shared: [String: JSONValue] = [:]
        let attributes = try Self.attributes(1, of: resource[...])
        if !attributes.isEmpty { shared["resource"] = .object(attributes) }
        if let schema, !schema.isEmpty { shared["resource_schema_url"] = .string(schema) }
        for scope in scopes { try addScope(scope, shared, sharedBytes: resource.count + (schema?.utf8.count ?? 0)) }
    }

    private mutating func addScope(
        _ bytes: ArraySlice<UInt8>, _ shared: [String: JSONValue], sharedBytes: Int
    ) throws(ProtobufReader.Malformed) {
        var scope: [UInt8] = []
        var schema: String?
        var records: [ArraySlice<UInt8>] = []
        try Self.forEachField(in: bytes) { number, value throws(ProtobufReader.Malformed) in
            switch (number, value) {
            case (1, .bytes(let part)): scope += part
            case (2, .bytes(let part)):
                if messages.count + records.count < limit { records.append(part) } else { hasMore = true }
            case (3, .bytes(let part)): schema = try Self.text(part)
            default: break
            }
        }
        var shared = shared
        let members = try Self.scope(scope[...])
        if !members.isEmpty { shared["scope"] = .object(members) }
        if let schema, !schema.isEmpty { shared["scope_schema_url"] = .string(schema) }
        for record in records {
            let members = try Self.record(record).merging(shared) { own, _ in own }
            messages.append(
                ClientMessage(
                    id: nil, members: members, bytes: Array(record),
                    sharedBytes: sharedBytes + scope.count + (schema?.utf8.count ?? 0)))
        }
    }

    private static func scope(_ bytes: ArraySlice<UInt8>) throws(ProtobufReader.Malformed) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        try forEachField(in: bytes) { number, value throws(ProtobufReader.Malformed) in
            switch (number, value) {
            case (1, .bytes(let name)): members["name"] = .string(try text(name))
            case (2, .bytes(let version)): members["version"] = .string(try text(version))
            default: break
            }
        }
        for name in ["name", "version"] where members[name] == .string("") { members[name] = nil }
        let attributes = try attributes(3, of: bytes)
        if !attributes.isEmpty { members["attributes"] = .object(attributes) }
        return members
    }

    private static func record(_ bytes: ArraySlice<UInt8>) throws(ProtobufReader.Malformed) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        var body = AnyValue()
        func note(_ number: UInt64, _ name: String) { members[name] = number == 0 ? nil : integer(number) }
        func time(_ nanoseconds: UInt64, _ name: String) {
            members["\(name)_us"] = nanoseconds == 0 ? nil : .integer(Int64(nanoseconds / 1000))
            members["\(name)_unix_nano"] = nanoseconds == 0 ? nil : .string("\(nanoseconds)")
        }
        func text(_ bytes: ArraySlice<UInt8>, _ name: String) throws(ProtobufReader.Malformed) {
            members[name] = bytes.isEmpty ? nil : .string(try Self.text(bytes))
        }
        try forEachField(in: bytes) { number, value throws(ProtobufReader.Malformed) in
            switch (number, value) {
            case (1, .fixed64(let nanoseconds)): time(nanoseconds, "time")
            case (2, .varint(let severity)):
                let severity = Int32(truncatingIfNeeded: severity)
                members["severity_number"] = severity == 0 ? nil : .integer(Int64(severity))
            case (3, .bytes(let severity)): try text(severity, "severity_text")
            case (5, .bytes(let part)): try body.merge(part, depth: 0)
            case (7, .varint(let count)): note(count & 0xFFFF_FFFF, "dropped_attributes_count")
            case (8, .fixed32(let flags)): note(UInt64(flags), "flags")
            case (9, .bytes(let id)): members["trace_id"] = id.isEmpty ? nil : .string(hexadecimal(id))
            case (10, .bytes(let id)): members["span_id"] = id.isEmpty ? nil : .string(hexadecimal(id))
            case (11, .fixed64(let nanoseconds)): time(nanoseconds, "observed_time")
            case (12, .bytes(let name)): try text(name, "event_name")
            default: break
            }
        }
        if let body = body.json { members["body"] = body }
        let attributes = try attributes(6, of: bytes)
        if !attributes.isEmpty { members["attributes"] = .object(attributes) }
        return members
    }

    private static func forEachField(
        in bytes: ArraySlice<UInt8>,
        _ body: (_ number: Int, _ value: ProtobufReader.Value) throws(ProtobufReader.Malformed) -> Void
    ) throws(ProtobufReader.Malformed) {
        var reader = ProtobufReader(bytes)
        while let field = try reader.next() { try body(field.number, field.value) }
    }

    private static func forEachMessage(
        _ wanted: Int, in bytes: ArraySlice<UInt8>,
        _ body: (ArraySlice<UInt8>) throws(ProtobufReader.Malformed) -> Void
    ) throws(ProtobufReader.Malformed) {
        try forEachField(in: bytes) { number, value throws(ProtobufReader.Malformed) in
            if number == wanted, case .bytes(let part) = value { try body(part) }
        }
    }

    /// The key-value pairs in a field. Of several values for a key, the last counts.
    private static func attributes(_ number: Int, of bytes: ArraySlice<UInt8>)
        throws(ProtobufReader.Malformed) -> [String: JSONValue]
    {
        var members: [String: JSONValue] = [:]
        try addAttributes(number, of: bytes, depth: 0, to: &members)
        return members
    }

    fileprivate static func addAttributes(
        _ number: Int, of bytes: ArraySlice<UInt8>, depth: Int, to members: inout [String: JSONValue]
    ) throws(ProtobufReader.Malformed) {
        try forEachMessage(number, in: bytes) { pair throws(ProtobufReader.Malformed) in
            let (key, value) = try keyValue(pair, depth: depth)
            members[key] = value
        }
    }

    fileprivate static func keyValue(_ bytes: ArraySlice<UInt8>, depth: Int) throws(ProtobufReader.Malformed)
        -> (key: String, value: JSONValue)
    {
        var key = ""
        var any = AnyValue()
        try forEachField(in: bytes) { number, value throws(ProtobufReader.Malformed) in
            switch (number, value) {
            case (1, .bytes(let part)): key = try text(part)
            case (2, .bytes(let part)): try any.merge(part, depth: depth)
            default: break
            }
        }
        return (key, any.json ?? .null)
    }

    fileprivate static func text(_ bytes: ArraySlice<UInt8>) throws(ProtobufReader.Malformed) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw ProtobufReader.Malformed() }
        return text
    }

    private static func integer(_ value: UInt64) -> JSONValue { .integer(Int64(value)) }

    private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.utf8.count == 1 ? "0\(digits)" : digits
        }.joined()
    }

    /// An `AnyValue`: the last of its alternatives counts; parts of the same list are appended.
    private struct AnyValue {
        private var alternative = 0
        private var scalar: JSONValue?
        private var elements: [JSONValue] = []
        private var members: [String: JSONValue] = [:]

        var json: JSONValue? {
            switch alternative {
            case 5: .array(elements)
            case 6: .object(members)
            default: scalar
            }
        }

        mutating func merge(_ bytes: ArraySlice<UInt8>, depth: Int) throws(ProtobufReader.Malformed) {
            guard depth < ProtobufReader.maximumDepth else { throw ProtobufReader.Malformed() }
            var reader = ProtobufReader(bytes)
            while let field = try reader.next() { try merge(field, depth) }
        }

        private mutating func merge(_ field: ProtobufReader.Field, _ depth: Int) throws(ProtobufReader.Malformed) {
            switch (field.number, field.value) {
            case (1, .bytes(let text)): scalar = .string(try LogRecords.text(text))
            case (2, .varint(let value)): scalar = .bool(value != 0)
            case (3, .varint(let value)): scalar = Self.integer(Int64(bitPattern: value))
            case (4, .fixed64(let bits)): scalar = Self.number(Double(bitPattern: bits))
            case (5, .bytes(let list)):
                if alternative != 5 { elements = [] }
                try appendElements(list, depth)
            case (6, .bytes(let list)):
                if alternative != 6 { members = [:] }
                try LogRecords.addAttributes(1, of: list, depth: depth + 1, to: &members)
            case (7, .bytes(let bytes)): scalar = .string(Data(bytes).base64EncodedString())
            default: return
            }
            alternative = field.number
        }

        private mutating func appendElements(_ list: ArraySlice<UInt8>, _ depth: Int) throws(ProtobufReader.Malformed) {
            var reader = ProtobufReader(list)
            while let field = try reader.next() {
                guard field.number == 1, case .bytes(let bytes) = field.value else { continue }
                var element = AnyValue()
                try element.merge(bytes, depth: depth + 1)
                elements.append(element.json ?? .null)
            }
        }

        private static func integer(_ value: Int64) -> JSONValue {
            JSONValue.interoperable.contains(value) ? .integer(value) : .string("\(value)")
        }

        private static func number(_ value: Double) -> JSONValue {
            value.isFinite
                ? .number(value) : .string(value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity")
        }
    }
}
