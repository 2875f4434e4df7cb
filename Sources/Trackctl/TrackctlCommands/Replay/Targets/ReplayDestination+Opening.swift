internal import CommandSupport
internal import LogFiles
internal import LogReplay

extension ReplayDestination {
    /// Opens it.
    ///
    /// - Parameters:
    ///   - isResumable: Whether a file is to be gone on with if the replay does not come to its end.
    ///   - position: Where a file is gone on with, in bytes; nil for a new one.
    ///   - isPrompt: Whether each batch is handed over as it comes.
    /// - Throws: `EventLogError` or ``CommandFailure``.
    func open(
        isResumable: Bool, position: Int64?, isPrompt: Bool, _ delivery: DeliveryOptions, _ plan: ReplayPlan
    ) throws -> any ReplaySink {
        switch self {
        case .standardOutput: StandardOutputTarget(isPrompt: isPrompt)
        case .database(let path): try DatabaseTarget(path: path)
        case .newLinesFile(let path):
            LinesFileTarget(
                isResumable
                    ? try UnfinishedFile(resumablePath: path, position: position) : try UnfinishedFile(path: path),
                isPrompt: isPrompt)
        case .endpoint(let url): HTTPSink(delivery.request(url: url, connections: plan.lanes))
        case .nothing: NullSink()
        }
    }

    /// Opens it for events that are made here and now: a log, a new file or standard output.
    ///
    /// - Throws: `EventLogError` or ``CommandFailure``: `usage` for an endpoint.
    func openLocally() throws -> any ReplaySink {
        switch self {
        case .standardOutput: StandardOutputTarget(isPrompt: false)
        case .database(let path): try DatabaseTarget(path: path)
        case .newLinesFile(let path): LinesFileTarget(try UnfinishedFile(path: path), isPrompt: false)
        case .nothing: NullSink()
        case .endpoint:
            throw CommandFailure(.usage, "this writes no endpoint: name a file, and send that by 'trackctl replay'")
        }
    }
}
