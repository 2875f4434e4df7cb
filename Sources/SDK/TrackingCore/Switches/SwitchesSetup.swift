internal import Primitives

/// Makes the parts of an updater once the log is open, on a background thread.
package struct SwitchesSetup: Sendable {
    let make: @Sendable () throws -> SwitchesUpdater.Parts
    let jitter: @Sendable (Duration) -> Duration

    /// - Parameters:
    ///   - jitter: Returns a random wait of at most the given duration.
    ///   - make: Makes the parts.
    package init(
        jitter: @escaping @Sendable (Duration) -> Duration = { $0 * Double.random(in: 0...1) },
        _ make: @escaping @Sendable () throws -> SwitchesUpdater.Parts
    ) {
        self.jitter = jitter
        self.make = make
    }
}

extension TrackingPipeline {
    /// Makes the updater of the remote switches; nil if it can't be set up, which is reported.
    func updater(
        _ setup: SwitchesSetup, _ storage: any KeyValueStorage, _ clock: any TrackingClock
    ) -> SwitchesUpdater? {
        let report: @Sendable (SwitchesError) -> Void = { [diagnostics] in diagnostics(.switches($0)) }
        do {
            let updater = SwitchesUpdater(
                try setup.make(), storage: storage, clock: clock, jitter: setup.jitter, report: report
            ) { [weak self] in self?.use($0) }
            return switchesUpdater.storeIfNil(updater)
        } catch let error as SwitchesError {
            report(error)
        } catch {
            report(SwitchesError(.invalidSetup, "cannot set up remote switches: \(error)"))
        }
        return nil
    }
}

extension Tracker {
    /// Returns when no check of the remote switches is running. For tests.
    package func switchesChecked() async { await pipeline.switchesUpdater.load()?.idle() }
}
