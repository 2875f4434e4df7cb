import Foundation

/// Accepts connections on a loopback port, on its own thread.
final class Listener: Sendable {
    /// The port; a free port if 0 was requested.
    let port: UInt16
    /// The accepted connections. The stream ends after ``stop()``.
    let connections: AsyncStream<Socket>
    private let socket: Int32

    init(port: UInt16) throws {
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        let listening = Foundation.socket(AF_INET, stream, 0)
        socket = listening
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listening, address, size) == 0 && listen(listening, 64) == 0
                    && getsockname(listening, address, &size) == 0
            }
        }
        guard isListening else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EINVAL) }
        self.port = UInt16(bigEndian: address.sin_port)

        let (connections, accepted) = AsyncStream.makeStream(of: Socket.self)
        self.connections = connections
        Thread.detachNewThread {
            while true {
                let connection = accept(listening, nil, nil)
                guard connection >= 0 else { break }
                accepted.yield(Socket(descriptor: connection))
            }
            close(listening)
            accepted.finish()
        }
    }

    /// Stops accepting connections.
    @Sendable
    func stop() { shutdown(socket, Int32(SHUT_RDWR)) }
}

/// A TCP connection.
struct Socket: Connection {
    let descriptor: Int32

    func read() -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while bytes.count < 4096, recv(descriptor, &byte, 1, 0) == 1, byte != UInt8(ascii: "\n") { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }

    func write(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = send(descriptor, bytes, bytes.count, 0)
        close(descriptor)
    }
}
