package import DeliveryProtocol

/// A request of an OTLP/HTTP exporter of logs: `POST /v1/logs` with Protocol Buffers.
package struct OTLPRequest {
    package static let path = "/v1/logs"
    package static let mediaType = "application/x-protobuf"

    package let messages: [ClientMessage]

    /// - Throws: ``DeliveryProblem``: `unsupportedEncoding`, `malformed`, `tooLarge`.
    package init(
        _ body: [UInt8], type: String?, maximumMessages: Int = IntakeLimits.clients.maximumEvents
    ) throws(DeliveryProblem) {
        let media = type?.split(separator: ";").first.map { $0.lowercased().filter { $0 != " " } }
        guard media == Self.mediaType else {
            throw DeliveryProblem(
                .unsupportedEncoding, "unsupported Content-Type; send \(Self.mediaType) (http/protobuf)")
        }
        let records: LogRecords
        do throws(ProtobufReader.Malformed) { records = try LogRecords(body, limit: maximumMessages) } catch {
            throw DeliveryProblem(.malformed, "the body is not an ExportLogsServiceRequest; resend it")
        }
        guard !records.hasMore else { throw .tooManyMessages(maximumMessages) }
        messages = records.messages
    }

    /// An `ExportLogsServiceResponse`.
    ///
    /// - Parameter rejected: The number of log records that were rejected, and why.
    package static func response(rejected: Int, message: String) -> [UInt8] {
        guard rejected > 0 else { return [] }
        let partial = [0x08] + varint(UInt64(rejected)) + field(2, Array(message.utf8))
        return field(1, partial)
    }

    /// A `google.rpc.Status`, the body of an error.
    package static func status(_ message: String) -> [UInt8] { field(2, Array(message.utf8)) }

    private static func field(_ number: UInt64, _ bytes: [UInt8]) -> [UInt8] {
        varint(number << 3 | 2) + varint(UInt64(bytes.count)) + bytes
    }

    private static func varint(_ value: UInt64) -> [UInt8] {
        var value = value
        var bytes = [UInt8]()
        while value >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        return bytes + [UInt8(value)]
    }
}
