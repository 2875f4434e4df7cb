internal import ArgumentParser
internal import CommandSupport
internal import EventModel
internal import Foundation
internal import LogFiles
internal import LogReplay

/// A replay and what is told of it.
struct ReplayJob {
    let destination: ReplayDestination
    let plan: ReplayPlan
    let console: Console

    private var isPaced: Bool { plan.pace != .unpaced }
    private var isRemote: Bool { destination.isRemote }

    /// The time of day.
    @Sendable
    static func timeOfDay() -> EventTime {
        EventTime(microseconds: Int64((Date().timeIntervalSince1970 * 1_000_000).rounded(.down)))
    }

    /// Tells what would be done.
    ///
    /// - Throws: ``CommandFailure``; `ExitCode` if anything was wrong with the inputs.
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

    /// Sends everything, and tells how it went.
    ///
    /// - Throws: ``CommandFailure``, or `ExitCode` for what has been told.
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
            throw told(error, engine.tally.figures, isResumable: file != nil)
        }
        withExtendedLifetime(watch) {}
        try conclude(engine.tally.figures, source)
    }

    private func conclude(_ figures: ReplayFigures, _ source: StreamSource) throws {
        console.say("replayed \(figures.summary(for: destination))")
        tellSpeed(figures)
        try source.conclude(console)
        if figures.refused > 0 { throw ExitCode(ExitStatus.partly.rawValue) }
    }

    /// Tells a failure, and gives what was done before as the failure of the run.
    private func told(_ error: any Error, _ figures: ReplayFigures, isResumable: Bool) -> CommandFailure {
        let failure = CommandFailure(error)
        console.complain(failure.message)
        tellSpeed(figures)
        let advice =
            isResumable ? "run the same command again to go on from there" : destination.adviceAfterFailure
        return CommandFailure(failure.status, "replayed \(figures.summary(for: destination)); \(advice)")
    }

    /// Says how fast it was, if that tells of the target or of the plan.
    private func tellSpeed(_ figures: ReplayFigures) {
        guard isPaced || destination.takesLines, let speed = figures.speed(isPaced: isPaced, isRemote: isRemote) else {
            return
        }
        console.say(speed)
    }
}
