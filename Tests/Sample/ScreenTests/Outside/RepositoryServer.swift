import Foundation

/// A local HTTP server that responds like GitHub's, controlled by a test. For one test at a time.
final class RepositoryServer: Sendable {
    /// The server's address.
    let address: String
    private let listener: Int32
    private let requests = Awaited<[ServerRequest]>([])
    private let taken = Awaited(0)

    init() throws {
        #if canImport(Glibc)
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let listener = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var location = sockaddr_in()
        location.sin_family = sa_family_t(AF_INET)
        location.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isOpen = withUnsafeMutablePointer(to: &location) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                fcntl(listener, F_SETFD, FD_CLOEXEC) == 0 && bind(listener, generic, length) == 0
                    && listen(listener, 16) == 0 && getsockname(listener, generic, &length) == 0
            }
        }
        guard isOpen else {
            close(listener)
            throw TerminalProgram.NotStarted("cannot open a server")
        }
        self.listener = listener
        address = "http://127.0.0.1:\(UInt16(bigEndian: location.sin_port))"
        Thread.detachNewThread { [requests] in
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                if let request = ServerRequest(connection) { requests.change { $0.append(request) } }
            }
            close(listener)
        }
    }

    /// Ends the thread that accepts connections, which closes the socket.
    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    /// Waits for the next request, which waits for its response.
    func request() async throws -> ServerRequest {
        let number = taken.current
        let requests = try await requests.value("request \(number + 1)") { $0.count > number }
        taken.change { $0 += 1 }
        return requests[number]
    }

    /// The number of requests that the test did not wait for.
    var unexpected: Int { requests.current.count - taken.current }
}
