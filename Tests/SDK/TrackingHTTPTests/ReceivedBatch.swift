import CZlib
import DeliveryProtocol
import Foundation
import JSONLines
import LoopbackServer
import Primitives

/// A request of the sink, parsed like a collector parses it.
struct ReceivedBatch {
    struct Unreadable: Error { let reason: String }

    let request: ReceivedRequest
    let header: BatchHeader
    /// The events' lines without line feeds.
    let lines: [[UInt8]]

    /// Checks digest and encoding, and parses the lines.
    init(_ request: ReceivedRequest) throws {
        self.request = request
        let fields = request.fields
        let digest = "sha-256=:\(Data(SHA256.bytes(of: request.body)).base64EncodedString()):"
        guard fields["content-digest"] == digest else { throw Unreadable(reason: "wrong digest") }
        guard fields["content-type"] == "application/x-ndjson" else { throw Unreadable(reason: "wrong media type") }
        let content = fields["content-encoding"] == "gzip" ? try Inflated.bytes(of: request.body) : request.body
        guard content.last == UInt8(ascii: "\n") else { throw Unreadable(reason: "no line feed at the end") }
        var lines = content.dropLast().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            Array($0)
        }
        guard let header = try BatchHeader(JSONParser.parse(lines.removeFirst())) else {
            throw Unreadable(reason: "no batch header")
        }
        guard fields["idempotency-key"] == header.id else { throw Unreadable(reason: "the key is not the batch's id") }
        (self.header, self.lines) = (header, lines)
    }

    /// Whether the body was compressed.
    var isCompressed: Bool { request.fields["content-encoding"] == "gzip" }

    /// The numbers in the lines.
    var seqs: [Int64] { lines.map { (try? JSONParser.parse($0))?["seq"]?.integerValue ?? 0 } }

    /// The receipt of a collector that has stored all events.
    func receipt(
        stored: [ClosedRange<Int64>]? = nil, rejected: [Receipt.Rejection] = [], missing: [ClosedRange<Int64>] = [],
        number: Int64 = 1
    ) -> Receipt {
        Receipt(
            name: ReceiptName(collector: "double", number: number), installID: header.installID, batchID: header.id,
            stored: stored ?? NumberRanges.ranges(of: seqs), rejected: rejected, missing: missing,
            highest: header.seqs.upperBound)
    }
}

enum Inflated {
    /// The content of a gzip member. Nothing may follow it.
    static func bytes(of packed: [UInt8]) throws -> [UInt8] {
        var stream = z_stream()
        guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw ReceivedBatch.Unreadable(reason: "zlib has no memory")
        }
        defer { inflateEnd(&stream) }
        var packed = packed
        var bytes = [UInt8](repeating: 0, count: 4 << 20)
        let status = packed.withUnsafeMutableBufferPointer { input in
            bytes.withUnsafeMutableBufferPointer { output in
                (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
                (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
                return inflate(&stream, Z_FINISH)
            }
        }
        guard status == Z_STREAM_END, stream.avail_in == 0 else { throw ReceivedBatch.Unreadable(reason: "no gzip") }
        return Array(bytes[..<Int(stream.total_out)])
    }
}

extension JSONLineWritable {
    /// The JSON text.
    func json() throws -> [UInt8] {
        var json = JSONWriter()
        try write(to: &json)
        return json.withUnsafeBytes { Array($0) }
    }
}
