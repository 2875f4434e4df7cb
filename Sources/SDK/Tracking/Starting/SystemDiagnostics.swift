internal import Foundation
public import TrackingCore

/// Where diagnostics go unless the app receives them.
public enum SystemDiagnostics {
    /// Writes one line to standard error.
    @Sendable
    public static func report(_ diagnostic: TrackingDiagnostic) {
        try? FileHandle.standardError.write(contentsOf: Data("tracking: \(diagnostic)\n".utf8))  // nowhere else to report
    }
}
