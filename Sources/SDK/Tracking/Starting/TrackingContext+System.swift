internal import Foundation
public import TrackingCore

extension TrackingContext {
    /// App and system of this process: `Shop 1.2 (34)` from the main bundle, or the program's name without a bundle;
    /// `iOS 17.5`, `Linux 6.1`. Accesses no files, except for the bundle's property list on Apple systems, which the
    /// system has loaded already.
    public static var system: Self { Self(app: app, os: os) }

    private static var app: String {
        let path = CommandLine.arguments.first ?? ""
        let name = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
        let program = name.isEmpty ? "unknown" : String(name)
        #if canImport(Darwin)
            return name(of: Bundle.main.infoDictionary ?? [:]) ?? limited(program)
        #else
            return limited(program)
        #endif
    }

    /// Name, version and build of a bundle; nil if it has no name.
    static func name(of info: [String: Any]) -> String? {
        guard let name = (info["CFBundleDisplayName"] ?? info["CFBundleName"]) as? String, !name.isEmpty else {
            return nil
        }
        let version = (info["CFBundleShortVersionString"] as? String).map { " \($0)" } ?? ""
        let build = (info["CFBundleVersion"] as? String).map { " (\($0))" } ?? ""
        return limited(name + version + build)
    }

    private static var os: String {
        #if canImport(Darwin)
            let version = ProcessInfo.processInfo.operatingSystemVersion
            return "\(systemName) \(version.majorVersion).\(version.minorVersion)"
        #else
            // Uses uname(2), because Foundation reads files for the same result. The first `joined(separator:)` of a
            // process needs longer than the rest of the start.
            var system = utsname()
            guard uname(&system) == 0 else { return systemName }
            var points = 0
            let release = withUnsafeBytes(of: &system.release) { bytes in
                let version = bytes.prefix { byte in
                    points += byte == UInt8(ascii: ".") ? 1 : 0
                    return byte != 0 && points < 2
                }
                return String(decoding: version, as: UTF8.self)
            }
            return limited("\(systemName) \(release)")
        #endif
    }

    private static var systemName: String {
        #if os(macOS)
            "macOS"
        #elseif os(iOS)
            "iOS"
        #elseif os(tvOS)
            "tvOS"
        #elseif os(watchOS)
            "watchOS"
        #elseif os(visionOS)
            "visionOS"
        #elseif os(Linux)
            "Linux"
        #else
            "unknown system"
        #endif
    }

    /// The envelope's schema allows 128 characters.
    private static func limited(_ text: String) -> String { String(text.unicodeScalars.prefix(128)) }
}
