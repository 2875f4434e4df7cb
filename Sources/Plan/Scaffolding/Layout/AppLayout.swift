internal import Foundation
internal import TrackingPlan

/// The locations of an app's parts in its package. All paths can be opened directly.
package struct AppLayout: Sendable {
    /// Explicit choices. Missing ones are derived from `Package.swift` and existing folders.
    package struct Request {
        package var package: String?
        package var target: String?
        package var tests: String?
        package var schemas: String?
        /// How the app sends events; nil to detect it from the sources.
        package var style: ScaffoldStyle?

        package init() {}
    }

    package let root: PackageRoot
    package let target: String
    /// The folder of its sources; the first one if the target lists several.
    package let sources: String
    /// All folders and files of its sources.
    let allSources: [String]
    /// The folder of the target, which the build plugin reads.
    private let folder: String
    package let tests: String
    /// The folder of its plan, which may not exist yet.
    package let schemas: String
    /// Whether the build generates types from the schemas there.
    package let makesTypes: Bool
    /// How the app sends events.
    package let style: ScaffoldStyle
    /// The apparent omissions in `Package.swift`, as sentences.
    package let notes: [String]

    static let plugin = "TrackingEventsPlugin"

    /// The module that tests import.
    var module: String { String(target.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" }) }

    /// The default name of the app's routes enum.
    var routesName: String { "\(SwiftName.type(target) ?? "App")Route" }

    /// Finds the parts.
    ///
    /// - Throws: ``ScaffoldError``: `notFound` for the package or a target; `ambiguous` if several targets match;
    ///   `cannotRead`.
    package init(_ request: Request) throws(ScaffoldError) {
        root = try PackageRoot(request.package)
        let manifest = try root.readManifest()
        let targets = TargetChoice(root: root, manifest: manifest)
        let app = try targets.app(request.target)
        let test = try targets.tests(request.tests, of: app)
        target = app.name
        folder = root.path(app.path ?? "Sources/\(app.name)")
        allSources = try Self.sources(of: app, in: folder, root)
        sources = try Self.folder(among: allSources, of: app, root)
        let testFolder = root.path(test.path ?? "Tests/\(test.name)")
        tests = try Self.folder(among: try Self.sources(of: test, in: testFolder, root), of: test, root)
        makesTypes = app.names(Self.plugin)
        schemas = request.schemas ?? (makesTypes ? "\(folder)/Schemas" : root.path("Schemas"))
        style = if let style = request.style { style } else { try ScaffoldStyle(of: allSources) }
        notes = [(app, "Tracking"), (test, "TrackingTesting")].compactMap { target, product in
            guard !target.text.isEmpty, !target.names(product) else { return nil }
            return "\(target.name) does not name \(product) in Package.swift: add the dependency"
        }
    }

    /// Returns the folders and files that a target compiles.
    ///
    /// - Throws: ``ScaffoldError``, `invalidSource`, if `Package.swift` computes them.
    private static func sources(
        of target: ManifestTarget, in folder: String, _ root: PackageRoot
    ) throws(ScaffoldError) -> [String] {
        if let argument = target.computed.first {
            throw ScaffoldError(
                .invalidSource,
                """
                cannot read '\(argument):' of the target \(target.name) in \(root.path("Package.swift")), because it is \
                computed: write \(argument == "path" ? "a string literal" : "a list of string literals") \
                there
                """)
        }
        guard let sources = target.sources else { return [folder] }
        return sources.map {
            $0 == "." || $0 == "./" ? folder : "\(folder)/\($0.hasSuffix("/") ? String($0.dropLast()) : $0)"
        }
    }

    /// Returns the folder for new files: the first folder among a target's sources.
    ///
    /// - Throws: ``ScaffoldError``, `invalidSource`, if the target lists only single files.
    private static func folder(
        among sources: [String], of target: ManifestTarget, _ root: PackageRoot
    ) throws(ScaffoldError) -> String {
        if let folder = sources.first(where: { !$0.hasSuffix(".swift") }) { return folder }
        throw ScaffoldError(
            .invalidSource,
            """
            the target \(target.name) lists only single files, so a new file would not be compiled: add a folder to its \
            'sources:' in \(root.path("Package.swift"))
            """)
    }

    /// Returns the relative path from the tests' folder to another folder.
    func pathFromTests(to folder: String) -> String {
        let from = Self.steps(tests)
        let to = Self.steps(folder)
        let common = zip(from, to).prefix { $0 == $1 }.count
        let steps = Array(repeating: "..", count: from.count - common) + to[common...]
        return steps.isEmpty ? "." : steps.joined(separator: "/")
    }

    private static func steps(_ path: String) -> [String] {
        URL(fileURLWithPath: path).standardizedFileURL.path.split(separator: "/").map(String.init)
    }
}

extension AppLayout {
    /// Returns where the app declares a type, or the schema from which the build generates it; nil if there is none.
    ///
    /// - Throws: ``ScaffoldError``, `cannotRead`.
    func location(ofType type: String) throws(ScaffoldError) -> String? {
        let made = makesTypes ? GeneratedTypes(schemas: "\(sources)/Schemas") : nil
        if let location = made?.location(of: type) { return location }
        return try SwiftFiles(folder: sources).location(ofType: type)
    }

    /// Rejects type names that the app or its tests declare or generate from schemas, the name of the target, and names
    /// that would hide imported types.
    ///
    /// - Parameter suggestion: An alternative name for the message.
    /// - Throws: ``ScaffoldError``: `exists` with the location of the conflicting type; `cannotRead`.
    func requireFree(_ types: [String], suggesting suggestion: String) throws(ScaffoldError) {
        // The plugin always reads this folder, even if another plan is given.
        let made = makesTypes ? GeneratedTypes(schemas: "\(folder)/Schemas") : nil
        for type in types {
            if let taken = ReservedType.named(type) {
                throw ScaffoldError(
                    .exists,
                    "a type \(type) would hide \(taken.owner): choose another name, such as \(suggestion)")
            }
            guard type != module else {
                throw ScaffoldError(.exists, "\(type) is already the name of the target: choose another name")
            }
            if let location = made?.location(of: type) {
                throw ScaffoldError(.exists, "\(type) is already generated from \(location): choose another name")
            }
            for folder in allSources + [tests] {
                guard let location = try SwiftFiles(folder: folder).location(ofType: type) else { continue }
                throw ScaffoldError(.exists, "\(type) is already declared at \(location): choose another name")
            }
        }
    }
}
