internal import ArgumentParser
internal import CommandSupport
internal import EventModel
internal import Foundation
internal import LogFiles
internal import LogReplay

/// Runs a replay and reports on it.
struct ReplayJob {
    let destination: ReplayDestination
    let plan: ReplayPlan
    let console: Console

    private var isPaced: Bool { plan.pace != .unpaced }
    private var isRemote: Bool { destination.isRemote }

    @Sendable
    static func timeOfDay() -> EventTime {
        EventTime(microseconds: Int64((Date().timeIntervalSince1970 * 1_000_000).rounded(.down)))
    }

    /// Prints what the replay would do.
    ///
    /// - Throws: ``CommandFailure``; `ExitCode` if an input had errors.
    func forecast(_ source: StreamSource, _ state: ReplayState) throws {
        var source = source
        let forecast = try ReplayForecast(plan, &source, state: state)
        let output = BufferedOutput.standardOutput()
        for line in forecast.text(isPaced: isPaced, isEndless: plan.passes == nil) {
            try output.write(line: Array(line.utf8))
        }
        try output.flush()
        try source.conclude(console)
    }

    /// Sends all events and reports the outcome.
    ///
    /// - Throws: ``CommandFailure``, or `ExitCode` for errors that have been reported.
    func run(
        _ source: StreamSource, into sink: any ReplaySink, state: ReplayState, file: StateFile?
    ) async throws {
        var source = source
        let brake = Brake()
        let engine = ReplayEngine(plan, sink: sink, clock: MonotonicClock(), brake: brake, timeOfDay: Self.timeOfDay)
        let watch = InterruptionWatch { brake.pull() }
        let ticker = ReplayTicker(engine.tally, isPaced: isPaced, isRemote: isRemote)
        do {
            try await engine.run(&source, state: state, file: file)
            await ticker.stop()
            try Interruption.check()
            try await sink.finish()
        } catch {
            await ticker.stop()
            await sink.abandon(isResumable: file != nil)
            withExtendedLifetime(watch) {}
            throw reported(error, engine.tally.figures, isResumable: file != nil)
        }
        withExtendedLifetime(watch) {}
        try conclude(engine.tally.figures, source)
    }

    private func conclude(_ figures: ReplayFigures, _ source: StreamSource) throws {
        console.say("replayed \(figures.summary(for: destination))")
        saySpeed(figures)
        try source.conclude(console)
        if figures.refused > 0 { throw ExitCode(ExitStatus.partly.rawValue) }
    }

    /// Reports an error; returns the failure of the run, which states what was sent before.
    private func reported(_ error: any Error, _ figures: ReplayFigures, isResumable: Bool) -> CommandFailure {
        let failure = CommandFailure(error)
        console.complain(failure.message)
        saySpeed(figures)
        let advice =
            isResumable ? "run the same command again to continue" : destination.adviceAfterFailure
        return CommandFailure(failure.status, "replayed \(figures.summary(for: destination)); \(advice)")
    }

    /// Reports the speed, if it depends on the target or the pace.
    private func saySpeed(_ figures: ReplayFigures) {
        guard isPaced || destination.takesLines, let speed = figures.speed(isPaced: isPaced, isRemote: isRemote) else {
            return
        }
        console.say(speed)
    }
}
