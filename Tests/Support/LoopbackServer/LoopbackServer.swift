internal import Foundation
internal import Primitives

/// A server on 127.0.0.1 that passes raw connections to the test: the test reads bytes and sends any response, or none.
///
/// Each connection has its own thread. Waits end when the peer acts, or with ``stop()``; there are no timeouts.
package final class LoopbackServer: Sendable {
    private struct State {
        var isStopped = false
        var connections: [ServerConnection] = []
    }

    /// The port.
    package let port: UInt16
    private let descriptor: Int32
    private let state = Locked(State())

    /// `http://127.0.0.1:port` followed by a path.
    package func url(_ path: String = "/v1/events") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Starts a server on a free port.
    ///
    /// - Parameter serve: Called for each connection, on a separate thread. The connection is closed when it returns.
    package init(_ serve: @escaping @Sendable (ServerConnection) -> Void) throws {
        let descriptor = socket(AF_INET, Int32(SocketKind.stream), 0)
        guard descriptor >= 0 else { throw CocoaError(.fileReadUnknown) }
        guard let port = Self.bindToFreePort(descriptor), listen(descriptor, 64) == 0 else {
            close(descriptor)
            throw CocoaError(.fileReadUnknown)
        }
        (self.port, self.descriptor) = (port, descriptor)
        Thread { [self] in accept(serve) }.start()
    }

    /// Binds a socket to 127.0.0.1.
    ///
    /// - Returns: The port; nil on failure.
    fileprivate static func bindToFreePort(_ descriptor: Int32) -> UInt16? {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
            }
        }
        return isBound ? UInt16(bigEndian: address.sin_port) : nil
    }

    private func accept(_ serve: @escaping @Sendable (ServerConnection) -> Void) {
        while true {
            let peer = Foundation.accept(descriptor, nil, nil)
            if peer < 0, errno == EINTR || errno == ECONNABORTED { continue }
            let connection = peer < 0 ? nil : ServerConnection(peer)
            let isStopped = state.withLock { state in
                if let connection, !state.isStopped { state.connections.append(connection) }
                return state.isStopped
            }
            guard !isStopped, let connection else {
                connection?.close()
                break
            }
            Thread {
                serve(connection)
                connection.close()
                self.state.withLock { $0.connections.removeAll { $0 === connection } }
            }.start()
        }
        close(descriptor)
    }

    /// Closes all connections, and stops accepting.
    package func stop() {
        let connections: [ServerConnection]? = state.withLock { state in
            guard !state.isStopped else { return nil }
            state.isStopped = true
            return state.connections
        }
        guard let connections else { return }
        for connection in connections { connection.interrupt() }
        wakeAccept()
    }

    /// Connects, so that `accept` returns.
    private func wakeAccept() {
        let client = socket(AF_INET, Int32(SocketKind.stream), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        _ = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        close(client)
    }
}

/// A port of 127.0.0.1 on which no server listens, reserved so that none can use it in the meantime.
package final class ClosedPort: Sendable {
    /// The port.
    package let port: UInt16
    private let descriptor: Int32

    /// Reserves a free port.
    package init() throws {
        let descriptor = socket(AF_INET, Int32(SocketKind.stream), 0)
        guard descriptor >= 0, let port = LoopbackServer.bindToFreePort(descriptor) else {
            throw CocoaError(.fileReadUnknown)
        }
        (self.port, self.descriptor) = (port, descriptor)
    }

    deinit { close(descriptor) }
}

/// `SOCK_STREAM`, which is an enumeration on Linux.
enum SocketKind {
    #if canImport(Darwin)
        static let stream = Int(SOCK_STREAM)
    #else
        static let stream = Int(SOCK_STREAM.rawValue)
    #endif
}
