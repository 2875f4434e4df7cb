internal import Foundation
internal import Primitives

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The requests of a session that are under way. An answer is its head: what follows is never kept, and only read if the
/// head says that it is short, which keeps the connection for another request. Safe from any thread.
final class HTTPExchanges: NSObject, URLSessionDataDelegate, Sendable {
    /// Up to how many bytes what follows a head is read.
    private static let longestBody: Int64 = 64 << 10

    private struct Exchange {
        /// Who waits for the head; nil once it has come.
        var answer: CheckedContinuation<URLResponse, any Error>?
        /// Ends it when its time is over.
        let timer: Task<Void, Never>
        /// Whether a redirection was turned down: then the request ends by itself, and cancelling it at that moment ends
        /// the process in the open-source Foundation.
        var isRedirected = false
    }

    private let exchanges = Locked<[Int: Exchange]>([:])

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - session: Has this object as its delegate.
    ///   - timeout: How long the head may take, and how long it may take to read what follows, both counted from now.
    /// - Returns: The answer's head.
    /// - Throws: `URLError`, `timedOut` among others; `CancellationError`.
    func send(_ request: URLRequest, by session: URLSession, within timeout: Duration) async throws -> URLResponse {
        let task = session.dataTask(with: request)
        let number = task.taskIdentifier
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let timer = Task {
                    guard (try? await Task.sleep(for: timeout)) != nil else { return }  // thrown: it is over
                    self.breakOff(task, URLError(.timedOut))
                }
                exchanges.withLock { $0[number] = Exchange(answer: continuation, timer: timer) }
                task.resume()
                if Task.isCancelled { self.breakOff(task, CancellationError()) }
            }
        } onCancel: {
            breakOff(task, CancellationError())
        }
    }

    private func breakOff(_ task: URLSessionTask, _ reason: any Error) {
        let number = task.taskIdentifier
        settle(number, .failure(reason))
        if exchanges.withLock({ $0[number]?.isRedirected }) != true { task.cancel() }
    }

    /// Tells whoever waits; nothing happens the second time.
    private func settle(_ number: Int, _ result: Result<URLResponse, any Error>) {
        let answer = exchanges.withLock { exchanges in
            defer { exchanges[number]?.answer = nil }
            return exchanges[number]?.answer
        }
        answer?.resume(with: result)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        settle(dataTask.taskIdentifier, .success(response))
        let isShort = Self.isShort(response)
        completionHandler(isShort ? .allow : .cancel)
        // The open-source Foundation goes on whatever it is told.
        if !isShort { dataTask.cancel() }
    }

    /// Whether a head says that little follows.
    private static func isShort(_ response: URLResponse) -> Bool {
        let status = (response as? HTTPURLResponse)?.statusCode
        return [204, 205, 304].contains(status) || 0...longestBody ~= response.expectedContentLength
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let failure = error ?? URLError(.badServerResponse)
        settle(task.taskIdentifier, task.response.map { .success($0) } ?? .failure(failure))
        exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.timer.cancel()
    }

    /// Takes a redirection for the answer: followed, it would turn a post into a request that delivers nothing.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        // The caller gets its answer when the request has ended: then it may close the session.
        let isAwaited = exchanges.withLock { exchanges in
            guard exchanges[task.taskIdentifier]?.answer != nil else { return false }
            exchanges[task.taskIdentifier]?.isRedirected = true
            return true
        }
        // A request that was broken off is being cancelled: to answer it then ends the process, too.
        if isAwaited { completionHandler(nil) }
    }
}
