/// `cloudevents`: CloudEvents 1.0 in its JSON format, structured, one event a line.
///
/// | attribute | from |
/// |---|---|
/// | `specversion` | `1.0` |
/// | `id` | `id`; without one, `sha256-` and the digest of the line |
/// | `source` | `/installs/` and `install_id`, percent-encoded (RFC 3986) |
/// | `type` | `event.name`; without one, `unnamed` |
/// | `subject` | `user_id` |
/// | `time` | `time`, in UTC with six decimals |
/// | `datacontenttype` | `application/json`, if there is a value |
/// | `dataschema` | `schema`, behind a base that can be chosen |
/// | `trackingversion` | `v`, an integer |
/// | `trackingseq` | `seq` as a string: an Integer of CloudEvents has 32 bits |
/// | `trackingsessionid` | `session_id` |
/// | `trackingcontext`, `trackingorigin` | `context` and `origin`, as a string of JSON |
/// | `trackingline` | the whole line in Base64, where the others cannot give it back byte for byte |
/// | `data` | `event.value` |
///
/// An attribute whose value does not fit its type in CloudEvents is left out. Every event is read back before it is
/// appended; only if that does not give the line byte for byte (unknown members, another order, white space, a time in
/// another form) it carries `trackingline`. So ``CloudEventsReader`` gives back every line, whatever stands in it.
///
/// Specification: <https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md> and `formats/json-format.md`.
struct CloudEventsFormat: LineFormat {
    /// Where the schemas of the standard events stand.
    static let standardSchemaBase = "https://schemas.swift-tracking.dev/events/"

    private let schemaBase: String
    private var reader = LineReader()
    private var proof = ReadBackProof(CloudEventsReader())

    init(schemaBase: String = standardSchemaBase) { self.schemaBase = schemaBase }

    mutating func append(_ line: UnsafeRawBufferPointer, into output: inout [UInt8]) throws {
        let start = output.count
        try reader.read(line) { root in
            let members = ContainerMembers(root)
            CloudEventWriter(members, line: line, carriesLine: false, schemaBase: schemaBase).append(to: &output)
            if !proof.holds(output[start...], gives: line) {
                output.removeLast(output.count - start)
                CloudEventWriter(members, line: line, carriesLine: true, schemaBase: schemaBase).append(to: &output)
            }
        }
        output.append(UInt8(ascii: "\n"))
    }
}
