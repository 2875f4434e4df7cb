import DeliveryProtocol
import Foundation
import JSONLines
import Primitives
import Testing

enum RawRequest {
    /// A request line and fields, with the empty line.
    static func head(_ method: String, _ path: String, _ fields: [(String, String)]) -> [UInt8] {
        let lines = ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1"] + fields.map { "\($0.0): \($0.1)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// The header of a `POST /v1/events`.
    static func events(key: String, _ fields: [(String, String)]) -> [UInt8] {
        head(
            "POST", CollectorPath.events,
            [("Authorization", "Bearer \(key)"), ("Content-Type", DeliveryHeaderField.mediaType)] + fields)
    }

    /// One chunk of a chunked body.
    static func chunk(_ bytes: some Collection<UInt8>) -> [UInt8] {
        Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
    }
}

/// A response as received.
struct RawResponse: Sendable {
    let status: Int
    let fields: [(name: String, value: String)]
    let body: [UInt8]

    /// The value of the first field with a name, in any case.
    subscript(name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    var text: String { String(decoding: body, as: UTF8.self) }
    /// The lines of the body.
    var lines: [String] { text.split(separator: "\n").map(String.init) }
    var json: JSONValue? { try? JSONParser.parse(body) }

    /// The receipt in the body of a 200.
    func receipt() throws -> Receipt {
        #expect(status == 200, "\(text)")
        #expect(self["Content-Type"] == "application/json")
        return try Receipt(JSONParser.parse(body))
    }

    /// The problem in the body of any other answer, which must be whole: its status, its type, its `Retry-After`.
    func problem() throws -> DeliveryProblem {
        #expect(self["Content-Type"] == "application/problem+json")
        let json = try JSONParser.parse(body)
        let problem = try #require(DeliveryProblem(json))
        #expect(json["status"]?.integerValue == Int64(status) && problem.code.status == status)
        #expect(problem.retryAfter.map { "\($0)" } == self["Retry-After"])
        #expect(!problem.detail.isEmpty)
        return problem
    }
}

/// A connection whose bytes a test controls. Waits run on separate threads and end after five minutes.
final class RawConnection: Sendable {
    private struct State {
        var descriptor: Int32?
        var rest: [UInt8] = []
    }

    private let state: Locked<State>

    /// - Parameter address: The last number of the client's address; a Mac has only 127.0.0.1 without set-up.
    init(port: Int, from address: Int = 1) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        func with(_ last: Int, _ port: Int, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Bool {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(port).bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0000 + last).bigEndian
            return withUnsafePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    call($0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
        }
        guard address == 1 || with(address, 0, { bind(descriptor, $0, $1) }),
            with(1, port, { Foundation.connect(descriptor, $0, $1) })
        else {
            Foundation.close(descriptor)
            throw CocoaError(.fileReadUnknown)
        }
        var patience = timeval(tv_sec: 300, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
        state = Locked(State(descriptor: descriptor))
    }

    deinit { close() }

    private var descriptor: Int32? { state.withLock { $0.descriptor } }

    /// Runs a blocking closure on a separate thread, because the collector needs the few threads of tasks.
    private func waiting<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: body()) }
        }
    }

    /// Sends bytes.
    ///
    /// - Returns: Whether all bytes were sent.
    @discardableResult
    func send(_ bytes: [UInt8]) async -> Bool {
        await waiting { [self] in
            guard let descriptor else { return false }
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                if count < 0 {
                    if errno == EINTR { continue }
                    return false
                }
                sent += count
            }
            return true
        }
    }

    @discardableResult
    func send(_ text: String) async -> Bool { await send(Array(text.utf8)) }

    /// Reads a response; nil if the connection ends first.
    func response(toHead: Bool = false) async -> RawResponse? {
        await waiting { [self] in readResponse(toHead: toHead) }
    }

    /// Reads until the bytes since the last call contain a text.
    ///
    /// - Returns: All of these bytes; nil if the connection ends first.
    func text(until end: String) async -> String? {
        await waiting { [self] in
            var bytes: [UInt8] = []
            while bytes.firstRange(of: Array(end.utf8)) == nil {
                if read(into: &bytes) != .more { return nil }
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Whether the peer ends the connection, and sends nothing before.
    func endsSilently() async -> Bool {
        await waiting { [self] in
            var bytes: [UInt8] = []
            let hasEnded = read(into: &bytes) == .end
            return hasEnded && bytes.isEmpty
        }
    }

    /// Closes the sending direction only.
    func halfClose() { if let descriptor { shutdown(descriptor, Int32(SHUT_WR)) } }

    func close() {
        let descriptor = state.withLock { state in
            defer { state.descriptor = nil }
            return state.descriptor
        }
        if let descriptor { Foundation.close(descriptor) }
    }

    /// Closes the connection with a reset.
    func reset() {
        if let descriptor {
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        }
        close()
    }

    private enum ReadEnd { case more, end, late }

    private func read(into bytes: inout [UInt8]) -> ReadEnd {
        let rest = state.withLock { state in
            defer { state.rest = [] }
            return state.rest
        }
        if !rest.isEmpty {
            bytes += rest
            return .more
        }
        guard let descriptor else { return .end }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 {
                bytes += buffer[..<count]
                return .more
            }
            if count < 0, errno == EINTR { continue }
            return count < 0 && errno == EAGAIN ? .late : .end
        }
    }

    private func readResponse(toHead: Bool) -> RawResponse? {
        var bytes: [UInt8] = []
        let end = Array("\r\n\r\n".utf8)
        var header: Range<Int>?
        while header == nil {
            header = bytes.firstRange(of: end)
            if header == nil, read(into: &bytes) != .more { return nil }
        }
        guard let header else { return nil }
        let lines = String(decoding: bytes[..<header.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let fields = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            return (name: parts[0], value: parts.count > 1 ? parts[1] : "")
        }
        let status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        let length = fields.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) } ?? 0
        let whole = header.upperBound + (toHead || status < 200 || status == 204 ? 0 : length)
        while bytes.count < whole { if read(into: &bytes) != .more { return nil } }
        let rest = Array(bytes[whole...])
        state.withLock { $0.rest = rest }
        return RawResponse(status: status, fields: fields, body: Array(bytes[header.upperBound..<whole]))
    }
}
