/// `otlp`: logs of OpenTelemetry in OTLP/JSON. Each line is an `ExportLogsServiceRequest`, the body of a POST to
/// `/v1/logs`, with up to ``batchCount`` events or ``batchBytes`` bytes.
///
/// | in the request | from |
/// |---|---|
/// | resource `service.name`, `service.version` | `context.app`, cut at the last space; else `unknown_service` |
/// | resource `service.instance.id` | `install_id` |
/// | resource `os.description` | `context.os` |
/// | resource `tracking.context` | `context`, whole |
/// | scope | `name` and `version` from `context.sdk`, cut at the last space; else `swift-tracking` |
/// | `timeUnixNano` | `time`, nanoseconds as a string; what that cannot hold is attribute `tracking.time` |
/// | `severityNumber` | 9, INFO |
/// | `eventName` | `event.name` |
/// | attribute `log.record.uid` | `id` |
/// | attribute `session.id`, `user.id` | `session_id`, `user_id` |
/// | attributes `event.value.NAME` | the members of `event.value`; `event.value` itself if it is no object |
/// | attributes `tracking.NAME` | all other members of the line, `v`, `seq` and `schema` among them |
/// | attribute `tracking.event` | what else there is in `event`, if anything |
///
/// Events of one install and context that follow each other share a resource. The way back is closed: which decimals a
/// number was written with is lost to readers.
///
/// Specification:
/// <https://github.com/open-telemetry/opentelemetry-proto/blob/v1.5.0/opentelemetry/proto/logs/v1/logs.proto>, JSON:
/// <https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding>.
struct OTLPFormat: LineFormat {
    /// The events of a request at most.
    static let batchCount = 512
    /// The bytes of a request at most; one event may be larger.
    static let batchBytes = 1 << 20

    private var reader = LineReader()
    /// The request so far, without the brackets that end it.
    private var request: [UInt8] = []
    /// What the last resource was made of.
    private var resource: [UInt8] = []
    private var count = 0

    mutating func append(_ line: UnsafeRawBufferPointer, into output: inout [UInt8]) throws {
        let (record, resource) = try reader.read(line) { line in
            let members = ContainerMembers(line)
            return (OTLPRecordWriter.record(line, members), OTLPResourceWriter.start(members))
        }
        if count == Self.batchCount || count > 0 && request.count + record.count + resource.count > Self.batchBytes {
            endRequest(into: &output)
        }
        if count == 0 {
            request.append(contentsOf: #"{"resourceLogs":["#.utf8)
            request.append(contentsOf: resource)
        } else if resource == self.resource {
            request.append(UInt8(ascii: ","))
        } else {
            request.append(contentsOf: "]}]},".utf8)
            request.append(contentsOf: resource)
        }
        request.append(contentsOf: record)
        self.resource = resource
        count += 1
    }

    mutating func end(into output: inout [UInt8]) {
        if count > 0 { endRequest(into: &output) }
    }

    private mutating func endRequest(into output: inout [UInt8]) {
        output.append(contentsOf: request)
        output.append(contentsOf: "]}]}]}\n".utf8)
        request.removeAll(keepingCapacity: true)
        count = 0
    }
}
