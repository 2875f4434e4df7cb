internal import Dispatch
internal import Foundation

/// Listens to Ctrl-C (SIGINT). The second one ends the process as it always does.
final class InterruptWatch {
    private let source: any DispatchSourceSignal

    /// Starts to listen.
    ///
    /// - Parameter body: Called on a thread of its own, once.
    init(_ body: @escaping @Sendable () -> Void) {
        signal(SIGINT, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: DispatchQueue(label: "interrupt"))
        source.setEventHandler {
            signal(SIGINT, SIG_DFL)
            body()
        }
        source.resume()
    }

    deinit {
        source.cancel()
        signal(SIGINT, SIG_DFL)
    }
}
