import Foundation

/// An HTTP server on this machine that answers like GitHub's, when and how a test says. One test at a time.
final class RepositoryServer: Sendable {
    /// Where it is reached.
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
            throw TerminalProgram.NotStarted("no server can be opened")
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

    /// The thread that accepts connections ends by it, and closes the socket.
    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    /// The next request, once it has come. It waits for its answer.
    func request() async throws -> ServerRequest {
        let number = taken.current
        let requests = try await requests.value("request \(number + 1)") { $0.count > number }
        taken.change { $0 += 1 }
        return requests[number]
    }

    /// How many requests have come that no test has asked for.
    var unexpected: Int { requests.current.count - taken.current }
}
