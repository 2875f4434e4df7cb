internal import Foundation
internal import TrackingPlan

/// Where the parts of an app lie in its package. All paths can be opened as they are.
package struct AppLayout: Sendable {
    /// What may be said of it; what is not said follows from `Package.swift` and from the folders that are there.
    package struct Request {
        /// The folder of the package.
        package var package: String?
        /// The app's target.
        package var target: String?
        /// The target of its tests.
        package var tests: String?
        /// The folder of schemas.
        package var schemas: String?
        /// How the app sends its events; nil for what its sources use.
        package var style: ScaffoldStyle?

        package init() {}
    }

    package let root: PackageRoot
    /// The app's target.
    package let target: String
    /// The folder of its sources: the first of them, if the target names several.
    package let sources: String
    /// All folders and files of its sources.
    let allSources: [String]
    /// The folder of the target, which the build's plugin reads.
    private let folder: String
    /// The folder of its tests.
    package let tests: String
    /// The folder of its plan, which may not be there yet.
    package let schemas: String
    /// Whether the build makes the types of the schemas there.
    package let makesTypes: Bool
    /// How the app sends its events.
    package let style: ScaffoldStyle
    /// What `Package.swift` seems to lack, in sentences.
    package let notes: [String]

    static let plugin = "TrackingEventsPlugin"

    /// What tests import.
    var module: String { String(target.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" }) }

    /// What the app's routes are called, if it has none yet.
    var routesName: String { "\(SwiftName.type(target) ?? "App")Route" }

    /// Finds the parts.
    ///
    /// - Throws: ``ScaffoldError``: `notFound` for the package or a target; `ambiguous` if several targets may be meant;
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
            return "\(target.name) does not name \(product) in Package.swift: make it depend on that"
        }
    }

    /// The folders and files that a target compiles.
    ///
    /// - Throws: ``ScaffoldError``, `invalidSource`, if `Package.swift` computes them.
    private static func sources(
        of target: ManifestTarget, in folder: String, _ root: PackageRoot
    ) throws(ScaffoldError) -> [String] {
        if let argument = target.computed.first {
            throw ScaffoldError(
                .invalidSource,
                """
                \(root.path("Package.swift")) computes '\(argument):' of the target \(target.name), and this program reads \
                the file without running it: write \(argument == "path" ? "a string literal" : "a list of string literals") \
                there
                """)
        }
        guard let sources = target.sources else { return [folder] }
        return sources.map {
            $0 == "." || $0 == "./" ? folder : "\(folder)/\($0.hasSuffix("/") ? String($0.dropLast()) : $0)"
        }
    }

    /// The folder that gets new files: the first among a target's sources.
    ///
    /// - Throws: ``ScaffoldError``, `invalidSource`, if there are single files only.
    private static func folder(
        among sources: [String], of target: ManifestTarget, _ root: PackageRoot
    ) throws(ScaffoldError) -> String {
        if let folder = sources.first(where: { !$0.hasSuffix(".swift") }) { return folder }
        throw ScaffoldError(
            .invalidSource,
            """
            the target \(target.name) compiles single files only, so a new one would not be compiled: add a folder to its \
            'sources:' in \(root.path("Package.swift"))
            """)
    }

    /// The way from the folder of the tests to another one.
    func wayFromTests(to folder: String) -> String {
        let (from, to) = (Self.steps(tests), Self.steps(folder))
        let common = zip(from, to).prefix { $0 == $1 }.count
        let steps = Array(repeating: "..", count: from.count - common) + to[common...]
        return steps.isEmpty ? "." : steps.joined(separator: "/")
    }

    private static func steps(_ path: String) -> [String] {
        URL(fileURLWithPath: path).standardizedFileURL.path.split(separator: "/").map(String.init)
    }
}

extension AppLayout {
    /// Where the app declares a type, or the schema that the build makes it of; nil if there is none.
    ///
    /// - Throws: ``ScaffoldError``, `cannotRead`.
    func location(ofType type: String) throws(ScaffoldError) -> String? {
        let made = makesTypes ? MadeTypes(schemas: "\(sources)/Schemas") : nil
        if let location = made?.location(of: type) { return location }
        return try SwiftFiles(folder: sources).location(ofType: type)
    }

    /// Refuses names of types that the app or its tests declare already, or the build makes of its schemas; that of the
    /// target; and those that would hide what apps import.
    ///
    /// - Parameter suggestion: A name that may be chosen instead.
    /// - Throws: ``ScaffoldError``: `exists` with the location of one; `cannotRead`.
    func requireFree(_ types: [String], suggesting suggestion: String) throws(ScaffoldError) {
        // The plugin reads this folder, whatever plan was named.
        let made = makesTypes ? MadeTypes(schemas: "\(folder)/Schemas") : nil
        for type in types {
            if let taken = TakenType.named(type) {
                throw ScaffoldError(
                    .exists,
                    "a type \(type) would hide \(taken.owner): choose another name, such as \(suggestion)")
            }
            guard type != module else {
                throw ScaffoldError(.exists, "\(type) is the name of the target already: choose another name")
            }
            if let location = made?.location(of: type) {
                throw ScaffoldError(.exists, "\(location) makes \(type) already: choose another name")
            }
            for folder in allSources + [tests] {
                guard let location = try SwiftFiles(folder: folder).location(ofType: type) else { continue }
                throw ScaffoldError(.exists, "\(location) declares \(type) already: choose another name")
            }
        }
    }
}
