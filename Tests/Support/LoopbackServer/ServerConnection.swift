internal import Foundation
internal import Primitives

/// A connection of a ``LoopbackServer``.
package final class ServerConnection: Sendable {
    private struct State {
        var descriptor: Int32?
        /// Bytes that were read and not consumed yet.
        var rest: [UInt8] = []
        var wasReset = false
    }

    private let state: Locked<State>

    init(_ descriptor: Int32) {
        #if canImport(Darwin)
            var on: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
        state = Locked(State(descriptor: descriptor))
    }

    /// Whether the peer has ended the connection with a reset.
    package var wasReset: Bool { state.withLock { $0.wasReset } }

    private var descriptor: Int32? { state.withLock { $0.descriptor } }

    /// Waits for bytes.
    ///
    /// - Returns: nil at the end of the connection.
    package func read() -> [UInt8]? {
        let rest = state.withLock { state in
            defer { state.rest = [] }
            return state.rest
        }
        if !rest.isEmpty { return rest }
        guard let descriptor else { return nil }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 { return Array(buffer[..<count]) }
            if count < 0 && errno == EINTR { continue }
            if count < 0 && errno == ECONNRESET { state.withLock { $0.wasReset = true } }
            return nil
        }
    }

    /// Reads the header, including the empty line at its end.
    ///
    /// - Returns: nil at the end of the connection.
    package func readHead() -> [UInt8]? {
        var bytes: [UInt8] = []
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let range = bytes.firstRange(of: end) {
                putBack(Array(bytes[range.upperBound...]))
                return Array(bytes[..<range.upperBound])
            }
            guard let more = read() else { return nil }
            bytes += more
        }
    }

    /// Reads `count` bytes.
    ///
    /// - Returns: nil at the end of the connection.
    package func read(count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            guard let more = read() else { return nil }
            bytes += more
        }
        putBack(Array(bytes[count...]))
        return Array(bytes[..<count])
    }

    private func putBack(_ bytes: [UInt8]) { state.withLock { $0.rest = bytes } }

    /// Reads a complete request.
    ///
    /// - Returns: nil at the end of the connection.
    package func readRequest() -> ReceivedRequest? {
        guard let head = readHead() else { return nil }
        let count = ReceivedRequest(head: head, body: []).fields["content-length"].flatMap { Int($0) } ?? 0
        return read(count: count).map { ReceivedRequest(head: head, body: $0) }
    }

    /// Returns when the peer has closed the connection.
    package func awaitEnd() { while read() != nil {} }

    /// Sends bytes.
    ///
    /// - Returns: Whether all bytes were sent.
    @discardableResult
    package func send(_ bytes: [UInt8]) -> Bool {
        guard let descriptor else { return false }
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, flags) }
            if count < 0 {
                if errno == EINTR { continue }
                return false
            }
            sent += count
        }
        return true
    }

    /// Sends text.
    @discardableResult
    package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Sends a complete response.
    @discardableResult
    package func answer(_ status: Int, _ fields: [(String, String)] = [], _ body: [UInt8] = []) -> Bool {
        let lines = fields.map { "\($0.0): \($0.1)\r\n" }.joined()
        return send(Array("HTTP/1.1 \(status) Answer\r\nContent-Length: \(body.count)\r\n\(lines)\r\n".utf8) + body)
    }

    /// Closes the connection. The peer reads the sent bytes, then the end.
    package func close() {
        guard let descriptor = take() else { return }
        Foundation.close(descriptor)
    }

    /// Closes the connection with a reset.
    package func reset() {
        guard let descriptor = take() else { return }
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        Foundation.close(descriptor)
    }

    /// Interrupts waits for the peer.
    func interrupt() { state.withLock { if let descriptor = $0.descriptor { _ = shutdown(descriptor, Int32(2)) } } }

    private func take() -> Int32? {
        state.withLock { state in
            defer { state.descriptor = nil }
            return state.descriptor
        }
    }
}

/// A request as received.
package struct ReceivedRequest: Sendable {
    /// The request line and the header fields, with their line ends.
    package let head: [UInt8]
    /// The bytes after the header.
    package let body: [UInt8]

    package init(head: [UInt8], body: [UInt8]) {
        self.head = head
        self.body = body
    }

    private var lines: [Substring] { String(decoding: head, as: UTF8.self).split(separator: "\r\n") }

    /// The first line.
    package var line: String { lines.first.map(String.init) ?? "" }

    /// The header fields, by lowercase name.
    package var fields: [String: String] {
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        return fields
    }
}
