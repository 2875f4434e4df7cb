import CZlib
import CrashSupport
import DeliveryProtocol
import EventModel
import Foundation
import JSONLines
internal import Primitives

/// A request that carried events.
struct Delivery: Sendable {
    /// An event in a request.
    struct Event: Sendable {
        let marker: Marker
        let user: String?
    }

    /// When the sender began it, in nanoseconds of the monotonic clock.
    let begun: UInt64
    let batch: String
    let events: [Event]
}

/// The server that the senders deliver to. It keeps every request; at random, it responds late or not at all.
final class DeliveryServer: Sendable {
    private struct State {
        var random: SplitMix64
        var isCalm = false
        var deliveries: [Delivery] = []
        var unreadable: [String] = []
        var receipts: Int64 = 0
    }

    private let port: UInt16
    private let state: Locked<State>

    init(seed: UInt64) throws {
        let (descriptor, port) = try Loopback.listen()
        self.port = port
        state = Locked(State(random: SplitMix64(seed: seed)))
        Loopback.accept(descriptor, serve)
    }

    var url: String { "http://127.0.0.1:\(port)/v1/events" }

    /// Stops all random errors, or allows them again.
    func setCalm(_ isCalm: Bool) { state.withLock { $0.isCalm = isCalm } }

    /// The requests since the last call, and why others could not be read.
    func takeDeliveries() -> (deliveries: [Delivery], unreadable: [String]) {
        state.withLock { state in
            defer { (state.deliveries, state.unreadable) = ([], []) }
            return (state.deliveries, state.unreadable)
        }
    }

    private func serve(_ client: ByteStream) {
        while let request = client.message() {
            let (pause, responds) = draw()
            let answer: [UInt8]
            do { answer = try receive(request) } catch {
                state.withLock { $0.unreadable.append("\(error)") }
                return
            }
            usleep(pause)
            guard responds, client.send(answer) else { return }
        }
    }

    private func draw() -> (pause: UInt32, responds: Bool) {
        state.withLock { state in
            if state.isCalm { return (0, true) }
            let pause = state.random.happens(40) ? state.random.below(20_000) : 0
            return (UInt32(pause), !state.random.happens(5))
        }
    }

    /// Keeps a request before it is answered.
    private func receive(_ request: HTTPMessage) throws -> [UInt8] {
        let body = request["Content-Encoding"] == "gzip" ? try Self.inflated(Array(request.body)) : Array(request.body)
        var lines = body.split(separator: UInt8(ascii: "\n"))
        guard let begun = request["X-Begun"].flatMap({ UInt64($0) }), !lines.isEmpty,
            let header = try BatchHeader(try JSONParser.parse(lines.removeFirst()))
        else { throw HarnessError("a request without its time or its header") }
        var seqs = IndexSet()
        var events: [Delivery.Event] = []
        for line in lines {
            let container = try RecordedContainer(line: Array(line))
            seqs.insert(Int(container.seq))
            guard let marker = MarkedEvent.marker(of: container) else { continue }
            events.append(Delivery.Event(marker: marker, user: container.json[.userID]?.stringValue))
        }
        let number = state.withLock { state in
            state.deliveries.append(Delivery(begun: begun, batch: header.id, events: events))
            state.receipts += 1
            return state.receipts
        }
        let receipt = Receipt(
            name: ReceiptName(collector: "crash", number: number), installID: header.installID, batchID: header.id,
            stored: seqs.rangeView.map { Int64($0.lowerBound)...Int64($0.upperBound - 1) },
            highest: header.seqs.upperBound)
        var json = JSONWriter()
        receipt.write(to: &json)
        let content = json.withUnsafeBytes { Array($0) }
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(content.count)\r\n\r\n"
        return Array(head.utf8) + content
    }

    private static func inflated(_ bytes: [UInt8]) throws -> [UInt8] {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, size) == Z_OK else { throw HarnessError("no memory") }
        defer { inflateEnd(&stream) }
        // More than a sender puts in a request.
        let capacity = 2 << 20
        var status = Z_OK
        let whole = [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
            bytes.withUnsafeBufferPointer { input in
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(capacity)
                status = inflate(&stream, Z_FINISH)
            }
            count = capacity - Int(stream.avail_out)
        }
        guard status == Z_STREAM_END else { throw HarnessError("a body that gzip cannot read") }
        return whole
    }
}
