internal import Synchronization

/// <https://developer.apple.com/documentation/os/logger>
public struct Logger: Sendable {
    private static let log = Mutex<[String]>([])

    /// For tests: what was logged, in order: subsystem, category and text.
    public static var lines: [String] { log.withLock { $0 } }

    private let prefix: String

    /// <https://developer.apple.com/documentation/os/logger/init(subsystem:category:)>
    public init(subsystem: String, category: String) { prefix = "\(subsystem) \(category): " }

    /// <https://developer.apple.com/documentation/os/logger/error(_:)>
    public func error(_ message: OSLogMessage) { Self.log.withLock { $0.append(prefix + message.text) } }
}

/// <https://developer.apple.com/documentation/os/oslogmessage>
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
    let text: String

    public init(stringLiteral value: String) { text = value }
    public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}

/// <https://developer.apple.com/documentation/os/osloginterpolation>
public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
    var text = ""

    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ literal: String) { text += literal }

    /// Text is private unless declared, and shown as such.
    ///
    /// <https://developer.apple.com/documentation/os/osloginterpolation/appendinterpolation(_:align:privacy:)-6tazr>
    public mutating func appendInterpolation(
        _ argumentString: @autoclosure @escaping () -> String, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) { text += privacy == .public ? argumentString() : "<private>" }
}

/// <https://developer.apple.com/documentation/os/oslogprivacy>
public struct OSLogPrivacy: Equatable, Sendable {
    private let name: String

    /// <https://developer.apple.com/documentation/os/oslogprivacy/public>
    public static let `public` = Self(name: "public")
    /// <https://developer.apple.com/documentation/os/oslogprivacy/auto>
    public static let auto = Self(name: "auto")
}

/// <https://developer.apple.com/documentation/os/oslogstringalignment>
public struct OSLogStringAlignment: Sendable {
    /// <https://developer.apple.com/documentation/os/oslogstringalignment/none>
    public static var none: Self { Self() }
}
