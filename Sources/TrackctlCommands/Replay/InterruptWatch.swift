internal import Dispatch
internal import Foundation

/// Listens to Ctrl-C (SIGINT). The second one ends the process as it always does, and so does ``patience`` after the first:
/// a program that waits for standard input cannot be asked to stop.
final class InterruptWatch {
    /// Longer than batches that are under way may take.
    private static let patience = DispatchTimeInterval.seconds(7)

    private let source: any DispatchSourceSignal

    /// Starts to listen.
    ///
    /// - Parameter body: Called on a thread of its own, once.
    init(_ body: @escaping @Sendable () -> Void) {
        signal(SIGINT, SIG_IGN)
        let queue = DispatchQueue(label: "interrupt")
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: queue)
        source.setEventHandler {
            signal(SIGINT, SIG_DFL)
            body()
            queue.asyncAfter(deadline: .now() + Self.patience) { kill(getpid(), SIGINT) }
        }
        source.resume()
    }

    deinit {
        source.cancel()
        signal(SIGINT, SIG_DFL)
    }
}
