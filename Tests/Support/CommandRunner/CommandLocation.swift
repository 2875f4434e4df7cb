internal import Foundation

/// Locates the commands that the package built, next to the test bundle.
package enum CommandLocation {
    /// The error for a missing command.
    package struct NotBuilt: Error, CustomStringConvertible {
        /// What to do.
        package let description: String
    }

    /// Returns the path of a command.
    ///
    /// - Parameter name: Such as `trackctl`.
    /// - Throws: ``NotBuilt``.
    package static func path(of name: String) throws -> String {
        for folder in folders {
            let path = folder.appendingPathComponent(name).path
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue { return path }
        }
        throw NotBuilt(description: "cannot find \(name) next to the tests; make it a dependency of the test target")
    }

    /// On macOS, a helper of Xcode loads the bundle; on Linux, the test program itself is next to the commands.
    private static var folders: [URL] {
        let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
        let programs = [CommandLine.arguments.first ?? "", "/proc/self/exe"].map {
            URL(fileURLWithPath: $0).resolvingSymlinksInPath()
        }
        return (bundles + programs).map { $0.deletingLastPathComponent() }
    }
}
