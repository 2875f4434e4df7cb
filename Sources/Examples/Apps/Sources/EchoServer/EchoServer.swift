import Dispatch
import Foundation
import Tracking

/// A server that echoes each line received on a loopback connection.
///
/// Start one tracker per process and pass it to your request handlers. To shut down, stop accepting connections, answer
/// pending requests, flush, and close the tracker. If the server is killed instead, no sent event is lost: the events
/// are in the log, and the next start delivers them.
@main
struct EchoServer {
    /// Serves until SIGTERM or SIGINT. The arguments are the port and the folder of the log.
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let port = UInt16(arguments[1]) else {
            throw UsageError()
        }
        // Containers and service managers often set no HOME, so a server passes its folder.
        let tracker = Tracker.start(configuration: TrackingConfiguration(folder: arguments[2]))
        let listener = try Listener(port: port)
        print("listening on port \(listener.port)")
        fflush(nil)

        let signals = [SIGTERM, SIGINT].map { ended(by: $0, listener.stop) }
        await EchoService(tracker: tracker).serve(listener.connections)
        withExtendedLifetime(signals) {}

        await tracker.flush()
        try await tracker.close()
    }

    /// Calls a function when the process receives a signal, instead of ending the process.
    private static func ended(by number: Int32, _ stop: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number)
        source.setEventHandler(handler: stop)
        source.resume()
        return source
    }
}

struct UsageError: Error, CustomStringConvertible {
    let description = "usage: EchoServer PORT FOLDER"
}
