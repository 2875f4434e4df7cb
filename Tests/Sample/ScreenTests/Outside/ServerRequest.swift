import Foundation
import Primitives

/// A request that waits for its response. The response, or the end of the request, closes the connection.
final class ServerRequest: Sendable {
    /// The path and query, unchanged.
    let target: String
    /// Nil after it is closed.
    private let connection: Locked<Int32?>

    /// Reads a request; for anything else, closes the connection and returns nil.
    init?(_ connection: Int32) {
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        #if canImport(Darwin)
            var on: Int32 = 1
            setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
        var head: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else {
                close(connection)
                return nil
            }
            head += buffer.prefix(count)
        }
        let words = String(decoding: head, as: UTF8.self).split(separator: " ", maxSplits: 2)
        target = words.count > 1 ? String(words[1]) : ""
        self.connection = Locked(connection)
    }

    deinit { end(with: []) }

    /// Responds with a page of results and its links.
    ///
    /// - Parameter links: The page of each relation, such as `next`.
    func answer(_ repositories: [ServedRepository], links: KeyValuePairs<String, Int> = [:]) {
        let header = links.map { name, page in
            "<https://api.github.com/search/repositories?q=x&page=\(page)>; rel=\"\(name)\""
        }.joined(separator: ", ")
        let items = repositories.map(\.json).joined(separator: ",")
        send(#"{"total_count":\#(repositories.count),"items":[\#(items)]}"#, link: header.isEmpty ? nil : header)
    }

    /// Responds with a repository.
    func answer(_ repository: ServedRepository) { send(repository.json, link: nil) }

    /// Closes the connection without a response.
    func fail() { end(with: []) }

    private func send(_ body: String, link: String?) {
        let lines = [
            "HTTP/1.1 200 OK", "Content-Type: application/json", "Content-Length: \(body.utf8.count)",
            "Connection: close",
        ]
        let text = (lines + (link.map { ["Link: \($0)"] } ?? []) + ["", body]).joined(separator: "\r\n")
        end(with: Array(text.utf8))
    }

    private func end(with answer: [UInt8]) {
        let open = connection.withLock { connection in
            defer { connection = nil }
            return connection
        }
        guard let open else { return }
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        var rest = answer[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.send(open, $0.baseAddress, $0.count, flags) }
            guard count > 0 else { break }  // the client closed the connection
            rest = rest.dropFirst(count)
        }
        close(open)
    }
}

/// A repository that the server serves.
struct ServedRepository: Equatable, Sendable {
    let id: Int64
    let name: String
    let url: String

    init(_ id: Int64, _ name: String) { (self.id, self.name, url) = (id, name, "https://github.com/one/\(name)") }

    var json: String { #"{"id":\#(id),"name":"\#(name)","html_url":"\#(url)"}"# }

    /// A page of results that is longer than the screen: `flux-1` to `flux-20`, and so on.
    static func page(_ number: Int, of name: String) -> [ServedRepository] {
        (1...20).map { index in
            let location = (number - 1) * 20 + index
            return ServedRepository(Int64(location), "\(name)-\(location)")
        }
    }
}
