public import Foundation

/// The version and build of an app.
public struct AppVersion: Hashable, Sendable {
    /// The version shown to users: `2.1`. At most 64 characters.
    public let version: String
    /// The build number: `210`. At most 64 characters.
    public let build: String

    /// Makes a version. If a value is empty or longer than 64 characters, events with it are dropped.
    public init(version: String, build: String) {
        self.version = version
        self.build = build
    }

    /// The version of an app's bundle: `CFBundleShortVersionString` and `CFBundleVersion`; nil if either is missing.
    public init?(_ bundle: Bundle) {
        guard let version = bundle.infoDictionary?["CFBundleShortVersionString"] as? String,
            let build = bundle.infoDictionary?["CFBundleVersion"] as? String
        else { return nil }
        self.init(version: version, build: build)
    }

    private static let separator = "\n"

    /// Reads the output of ``stored``; nil for any other text.
    init?(stored: String) {
        guard let range = stored.range(of: Self.separator) else { return nil }
        self.init(version: String(stored[..<range.lowerBound]), build: String(stored[range.upperBound...]))
    }

    /// Version and build as one value, so that they change together.
    var stored: String { version + Self.separator + build }
}
