internal import Foundation

/// The folder of an app's package.
package struct PackageRoot: Hashable, Sendable {
    /// What stands before paths in it, so that they can be opened and people know them: empty, or with a slash at its end.
    package let prefix: String

    private static let manifest = "Package.swift"

    /// A folder that somebody named, or the nearest one with a `Package.swift`, from the working folder upwards.
    ///
    /// - Throws: ``ScaffoldError``, `notFound`, if there is none.
    package init(_ folder: String?) throws(ScaffoldError) {
        if let folder {
            prefix = folder == "." ? "" : folder.hasSuffix("/") ? folder : "\(folder)/"
            guard FileManager.default.fileExists(atPath: prefix + Self.manifest) else {
                throw ScaffoldError(
                    .notFound, "there is no \(prefix)\(Self.manifest): name the folder of the app's package")
            }
            return
        }
        let levels = FileManager.default.currentDirectoryPath.split(separator: "/").count
        let upwards = (0...levels).map { String(repeating: "../", count: $0) }
        guard let found = upwards.first(where: { FileManager.default.fileExists(atPath: $0 + Self.manifest) }) else {
            throw ScaffoldError(
                .notFound,
                "there is no \(Self.manifest) here or above: run this in the app's package, or name its folder by --package"
            )
        }
        prefix = found
    }

    /// A path in it, as it can be opened.
    package func path(_ path: String) -> String { prefix + path }

    /// What its `Package.swift` says.
    ///
    /// - Throws: ``ScaffoldError``, `cannotRead`.
    func readManifest() throws(ScaffoldError) -> Manifest {
        guard let source = FileManager.default.contents(atPath: path(Self.manifest)) else {
            throw ScaffoldError(.cannotRead, "\(path(Self.manifest)) cannot be read: check its permissions")
        }
        return Manifest(Array(source))
    }
}
