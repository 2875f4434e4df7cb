internal import Dispatch

/// Does something when a signal asks the program to come to an end, for whoever cannot look at ``Interruption`` in time.
package final class InterruptionWatch {
    private let source: (any DispatchSourceRead)?

    /// Listens to signals.
    ///
    /// - Parameter body: Called on a thread of its own, once, when a signal comes or if one has come.
    package init(_ body: @escaping @Sendable () -> Void) {
        Interruption.listen()
        let descriptor = Interruption.descriptor
        guard descriptor >= 0 else {
            source = nil
            return
        }
        let source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "interruption"))
        // What can be read stays there for others who wait: it is told once.
        source.setEventHandler {
            source.cancel()
            body()
        }
        source.resume()
        self.source = source
    }

    deinit { source?.cancel() }
}
