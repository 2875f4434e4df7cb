internal import CommandSupport
internal import Foundation
internal import LogReplay
internal import TextRendering

/// Shows on a terminal every two seconds how a replay goes.
struct ReplayTicker {
    private let task: Task<Void, Never>?

    /// Starts to show; does nothing if standard error is no terminal.
    init(_ tally: ReplayTally, isPaced: Bool, isRemote: Bool) {
        guard isatty(STDERR_FILENO) == 1 else {
            task = nil
            return
        }
        task = Task {
            while (try? await Task.sleep(for: .seconds(2))) != nil {  // thrown: it is over
                let figures = tally.figures
                let events = figures.lateness.count
                guard let speed = figures.speed(isPaced: isPaced, isRemote: isRemote) else { continue }
                StandardError.write("\r\u{1B}[K\(events.grouped) events; \(speed)")
            }
        }
    }

    /// Takes it off the terminal.
    func stop() async {
        guard let task else { return }
        task.cancel()
        await task.value
        StandardError.write("\r\u{1B}[K")
    }
}
