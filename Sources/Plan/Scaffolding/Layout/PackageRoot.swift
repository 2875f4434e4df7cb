internal import Foundation

/// The folder of an app's package.
package struct PackageRoot: Hashable, Sendable {
    /// The prefix of paths in the package, in the form that the user knows: empty, or ending with a slash.
    package let prefix: String

    private static let manifest = "Package.swift"

    /// Finds the given folder, or the nearest one with a `Package.swift`, from the working directory upwards.
    ///
    /// - Throws: ``ScaffoldError``, `notFound`, if there is none.
    package init(_ folder: String?) throws(ScaffoldError) {
        if let folder {
            prefix = folder == "." ? "" : folder.hasSuffix("/") ? folder : "\(folder)/"
            guard FileManager.default.fileExists(atPath: prefix + Self.manifest) else {
                throw ScaffoldError(
                    .notFound, "\(prefix)\(Self.manifest) does not exist: pass the folder of the app's package")
            }
            return
        }
        let levels = FileManager.default.currentDirectoryPath.split(separator: "/").count
        let upwards = (0...levels).map { String(repeating: "../", count: $0) }
        guard let found = upwards.first(where: { FileManager.default.fileExists(atPath: $0 + Self.manifest) }) else {
            throw ScaffoldError(
                .notFound,
                "no \(Self.manifest) here or above: run this in the app's package, or pass its folder with --package"
            )
        }
        prefix = found
    }

    /// Returns the path of a file in the package, which can be opened.
    package func path(_ path: String) -> String { prefix + path }

    /// Reads the package's `Package.swift`.
    ///
    /// - Throws: ``ScaffoldError``, `cannotRead`.
    func readManifest() throws(ScaffoldError) -> Manifest {
        guard let source = FileManager.default.contents(atPath: path(Self.manifest)) else {
            throw ScaffoldError(.cannotRead, "cannot read \(path(Self.manifest)): check its permissions")
        }
        return Manifest(Array(source))
    }
}
