import Foundation
internal import Primitives

/// A TCP connection on 127.0.0.1, with a timeout of 30 seconds for waits. Not thread-safe.
final class ByteStream {
    private let descriptor: Int32
    private var rest: [UInt8] = []

    /// Takes ownership of a connection.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    /// Connects; nil if no program listens.
    init?(port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Loopback.address(port)
        let status = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        self.descriptor = descriptor
        guard status == 0 else { return nil }
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    deinit { close(descriptor) }

    /// Sends bytes; false if the peer accepts no more.
    @discardableResult
    func send(_ bytes: some Collection<UInt8>) -> Bool {
        let bytes = Array(bytes)
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

    /// Reads a complete request or response; nil if the connection ends first.
    func message() -> HTTPMessage? {
        var bytes = rest
        rest = []
        while true {
            if let message = HTTPMessage(&bytes) {
                rest = bytes
                return message
            }
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            bytes += buffer[..<count]
        }
    }
}

/// A request or response with a `Content-Length`.
struct HTTPMessage: Sendable {
    let bytes: [UInt8]
    let body: ArraySlice<UInt8>
    private let lines: [String]

    /// Removes a message from the start of the bytes; nil if it is incomplete.
    init?(_ bytes: inout [UInt8]) {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let length = Self.field("content-length", lines).flatMap { Int($0) } ?? 0
        guard bytes.count >= end.upperBound + length else { return nil }
        self.bytes = Array(bytes[..<(end.upperBound + length)])
        body = self.bytes[end.upperBound...]
        bytes.removeFirst(end.upperBound + length)
    }

    /// The status of a response; 0 for a request.
    var status: Int {
        lines[0].hasPrefix("HTTP/") ? lines[0].split(separator: " ")[1...].first.flatMap { Int($0) } ?? 0 : 0
    }

    /// The path of a request.
    var path: Substring { lines[0].split(separator: " ").dropFirst().first ?? "" }

    subscript(name: String) -> String? { Self.field(name.lowercased(), lines) }

    private static func field(_ name: String, _ lines: [String]) -> String? {
        lines.dropFirst().first { $0.lowercased().hasPrefix(name + ":") }
            .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }
}

enum Loopback {
    /// Serves each connection to a socket on its own thread.
    static func accept(_ descriptor: Int32, _ serve: @escaping @Sendable (ByteStream) -> Void) {
        Thread.detachNewThread {
            while true {
                let peer = Foundation.accept(descriptor, nil, nil)
                if peer < 0 { continue }
                _ = fcntl(peer, F_SETFD, FD_CLOEXEC)
                Thread.detachNewThread { serve(ByteStream(peer)) }
            }
        }
    }

    static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        return address
    }

    /// A port that is free now, below the ports that the system gives to outgoing connections.
    static func freePort(using random: inout SplitMix64) throws -> UInt16 {
        for _ in 0..<1_000 {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            var address = address(UInt16(15_000 + random.below(17_000)))
            let isFree = withUnsafePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            if isFree { return UInt16(bigEndian: address.sin_port) }
        }
        throw HarnessError("cannot find a free port on 127.0.0.1")
    }

    /// Listens on a free port.
    static func listen() throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = address(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isOpen = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
                    && Foundation.listen(descriptor, 64) == 0
            }
        }
        guard isOpen else { throw HarnessError("cannot listen on a port of 127.0.0.1") }
        // Child processes must not inherit it.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }
}
