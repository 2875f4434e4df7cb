internal import Foundation

/// Where the commands are that the package built: beside the test bundle.
package enum CommandLocation {
    /// A command is not where the build should have put it.
    package struct NotBuilt: Error, CustomStringConvertible {
        /// What to do.
        package let description: String
    }

    /// The path of a command.
    ///
    /// - Parameter name: Such as `trackctl`.
    /// - Throws: ``NotBuilt``.
    package static func path(of name: String) throws -> String {
        for folder in folders {
            let path = folder.appendingPathComponent(name).path
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue { return path }
        }
        throw NotBuilt(description: "there is no \(name) beside the tests: make it a dependency of the test target")
    }

    /// On macOS the bundle is loaded by a helper of Xcode; on Linux the test program itself stands beside it.
    private static var folders: [URL] {
        let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
        let programs = [CommandLine.arguments.first ?? "", "/proc/self/exe"].map {
            URL(fileURLWithPath: $0).resolvingSymlinksInPath()
        }
        return (bundles + programs).map { $0.deletingLastPathComponent() }
    }
}
