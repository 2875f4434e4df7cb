import CommandSupport
import CrashSupport
import EventLog
import Foundation
import Tracking
import TrackingCore

/// The start of an app: a tracker, with events before, during and after the opening of the log.
///
/// Only the numbers of events are recorded: of pending events when the numbers are assigned, of others when `send` returns.
struct StartedSending {
    let folder: String
    let notebook: Notebook
    let run: Int
    let pause: Int
    let seed: UInt64
    let system: LogSystem

    func send() async throws {
        notebook.enter(.opening)
        let tracker = Tracker.start(
            .file(rotation: FileRotation(maximumBytes: CrashSender.fileBytes)),
            configuration: TrackingConfiguration(folder: folder) {
                $0.context = TrackingContext(app: "crash-sender 1.0", os: nil)
                $0.flushPolicy = FlushPolicy(eventCount: 30)
                $0.sendingLimit = nil
                $0.configureLog = { [system] options in
                    options.retention = .keepAll
                    options.system = system
                }
            },
            diagnostics: { [notebook] diagnostic in
                notebook.noteDiagnostic()
                StandardError.write("crash-sender: \(diagnostic)\n")
            })
        let subscription = tracker.dispatcher.subscribe { [notebook, run] container in
            guard let event = container.event as? TokenEvent, event.token.run == run else { return }
            notebook.leave(.opening)
            notebook.acknowledge(lane: 0, number: event.token.number, seq: container.seq)
        }
        notebook.enter(.sending)
        await SendingLane(
            model: tracker, notebook: notebook, run: run, lane: 0, count: notebook.capacity, isSmall: false,
            maximumPause: pause, gateAfter: nil, holding: nil, seed: seed, notesNumbersOnly: true
        ).send()
        notebook.leave(.sending)
        await tracker.flush()
        try await tracker.close()
        subscription.cancel()
        notebook.enter(.finished)
    }
}
