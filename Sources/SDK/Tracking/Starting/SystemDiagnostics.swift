internal import EventLog
internal import Foundation
internal import Primitives
public import TrackingCore

#if canImport(os)
    internal import os
#endif

/// Writes diagnostics to the unified log of Apple systems, subsystem `swift-tracking`, and to standard error elsewhere.
/// The default of `Tracker.start`.
public enum SystemDiagnostics {
    /// Writes one line with names, numbers and reasons, without values of properties or user ids.
    @Sendable
    public static func report(_ diagnostic: TrackingDiagnostic) {
        let text = text(of: diagnostic)
        #if canImport(os)
            Logger(subsystem: "swift-tracking", category: "diagnostics").error("\(text, privacy: .public)")
        #else
            write(text, to: .standardError)
        #endif
    }

    /// Writes a line to a file.
    static func write(_ text: String, to file: FileHandle) {
        try? file.write(contentsOf: Data("tracking: \(text)\n".utf8))  // there is nowhere else to report
    }

    /// A diagnostic in one line.
    static func text(of diagnostic: TrackingDiagnostic) -> String {
        let text =
            switch diagnostic {
            case .dropped(let name, let reason): "dropped event \(name): \(reason.rawValue)"
            case .droppedRepeatedly(let name, let reason, let count):
                "dropped \(count) more events \(name): \(reason.rawValue)"
            case .userRejected:
                "identify(_:) was called with an id that is empty, or has more than 128 characters or control characters (userRejected): it is ignored, and the former user is signed out"
            case .outOfLimits(let name, let error): "event \(name): \(error)"
            // The path may contain keys of dictionaries, which are values of the app.
            case .notEncodable(let name, _, let reason): "event \(name) cannot be encoded: \(reason)"
            case .log(let error): "cannot use the event log: \(text(of: error)); retrying"
            case .storage(let error):
                "cannot read or store device id, user and consent: \(text(of: error)); retrying, and events wait in memory"
            case .sinkDelayed(let sink, let reason): "sink \(sink) will be retried: \(reason)"
            case .sinkHalted(let sink, let reason): "sink \(sink) has stopped: \(reason)"
            case .sinkRefused(let sink, let seqs, let reason):
                "sink \(sink) rejected events \(seqs.lowerBound) to \(seqs.upperBound): \(reason)"
            case .sinkRewound(let sink, let seq, let reason):
                "resending events to sink \(sink) from \(seq) on: \(reason)"
            case .switches(let error): "remote switches: \(error.message)"
            }
        return String(text.map { $0.isNewline ? " " : $0 })
    }

    /// The text of an error without event values, which errors of other modules may contain.
    private static func text(of error: any Error) -> String {
        switch error {
        case let error as EventLogError: error.message
        // Its text has a path and advice.
        case let error as PrivateFile.Refusal: error.description
        case let error as MissingHome: error.description
        case let error as SystemError: "POSIX error \(error.code)"
        case let error as POSIXError: "POSIX error \(error.code.rawValue)"
        case let error as CocoaError: "Cocoa error \(error.code.rawValue)"
        default: "\(type(of: error))"
        }
    }
}
