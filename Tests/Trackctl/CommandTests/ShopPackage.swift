import CommandRunner
import Foundation

/// The package of an app in a separate folder, with only its manifest.
struct ShopPackage {
    let folder: TemporaryFolder

    /// - Parameter makesTypes: Whether the app's target uses the plugin.
    init(makesTypes: Bool = true) throws {
        folder = try TemporaryFolder()
        let plugin = makesTypes ? #", plugins: [.plugin(name: "TrackingEventsPlugin", package: "swift-tracking")]"# : ""
        try folder.write(
            """
            // swift-tools-version: 6.1
            import PackageDescription

            let package = Package(
                name: "Shop",
                targets: [
                    .target(
                        name: "Shop", dependencies: [.product(name: "Tracking", package: "swift-tracking")]\(plugin)),
                    .testTarget(
                        name: "ShopTests",
                        dependencies: ["Shop", .product(name: "TrackingTesting", package: "swift-tracking")]),
                ])

            """, to: "Package.swift")
    }

    /// Runs `trackctl new` in a folder of the package.
    func new(_ arguments: String..., below: String = ".") async throws -> CommandResult {
        try await run(arguments, below: below)
    }

    /// The same with a list of arguments.
    func run(_ arguments: [String], below: String = ".") async throws -> CommandResult {
        let script = #"cd "$1/$2" && shift 2 && exec "$@""#
        let program = URL(fileURLWithPath: try CommandLocation.path(of: "trackctl")).standardizedFileURL.path
        return try await runProgram(
            "/bin/bash", ["-c", script, "-", folder.path, below, program, "new"] + arguments,
            environment: ["HOME": folder.path])
    }

    /// Every file but the manifest, sorted.
    func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: folder.path(path), isDirectory: &isFolder)
                && !isFolder.boolValue && path != "Package.swift"
        }
    }

    /// The text of a file.
    func text(_ path: String) throws -> String { String(decoding: try folder.read(path), as: UTF8.self) }

    /// Writes a file, and its folders.
    func write(_ text: String, to path: String) throws {
        let parent = URL(fileURLWithPath: folder.path(path)).deletingLastPathComponent().path
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        try folder.write(text, to: path)
    }
}
