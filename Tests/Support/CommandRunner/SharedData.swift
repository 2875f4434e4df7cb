internal import Foundation

/// Real data, which is not part of the project: `TRACKING_SHARED`, or `../shared` next to the checkout.
public enum SharedData {
    private static let folder: URL = {
        if let named = ProcessInfo.processInfo.environment["TRACKING_SHARED"] { return URL(fileURLWithPath: named) }
        return URL(fileURLWithPath: #filePath).deletingLastPathComponent()  // CommandRunner
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("../shared").standardized
    }()

    /// A real hour of activity.
    public static var activity: String { path("data/github-activity-2015-01-01T00.jsonl.gz") }

    /// Real repositories.
    public static var repositories: String { path("data/github-repositories.jsonl.gz") }

    /// Whether the data is available. CI requires it; elsewhere its tests are skipped.
    public static let isAvailable =
        FileManager.default.fileExists(atPath: activity) || ProcessInfo.processInfo.environment["CI"] != nil

    /// The reason for skipped tests.
    public static let requirement = "needs the real input in \(folder.path); set TRACKING_SHARED to its folder"

    private static func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
}
