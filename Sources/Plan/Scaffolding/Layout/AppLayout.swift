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

        package init() {}
    }

    package let root: PackageRoot
    /// The app's target.
    package let target: String
    /// The folder of its sources.
    package let sources: String
    /// The folder of its tests.
    package let tests: String
    /// The folder of its plan, which may not be there yet.
    package let schemas: String
    /// Whether the build makes the types of the schemas there.
    package let makesTypes: Bool
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
        sources = root.path(app.path ?? "Sources/\(app.name)")
        tests = root.path(test.path ?? "Tests/\(test.name)")
        makesTypes = app.names(Self.plugin)
        schemas = request.schemas ?? (makesTypes ? "\(sources)/Schemas" : root.path("Schemas"))
        notes = [(app, "Tracking"), (test, "TrackingTesting")].compactMap { target, product in
            guard !target.text.isEmpty, !target.names(product) else { return nil }
            return "\(target.name) does not name \(product) in Package.swift: make it depend on that"
        }
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
    func place(ofType type: String) throws(ScaffoldError) -> String? {
        let made = makesTypes ? MadeTypes(schemas: "\(sources)/Schemas") : nil
        if let place = made?.place(of: type) { return place }
        return try SwiftFiles(folder: sources).place(ofType: type)
    }

    /// Refuses names of types that the app or its tests declare already, or the build makes of its schemas; that of the
    /// target; and those that would hide what apps import.
    ///
    /// - Parameter suggestion: A name that may be chosen instead.
    /// - Throws: ``ScaffoldError``: `exists` with the place of one; `cannotRead`.
    func requireFree(_ types: [String], suggesting suggestion: String) throws(ScaffoldError) {
        // The plugin reads this folder, whatever plan was named.
        let made = makesTypes ? MadeTypes(schemas: "\(sources)/Schemas") : nil
        for type in types {
            if let taken = TakenType.named(type) {
                throw ScaffoldError(
                    .exists,
                    "a type \(type) would hide \(taken.owner): choose another name, such as \(suggestion)")
            }
            guard type != module else {
                throw ScaffoldError(.exists, "\(type) is the name of the target already: choose another name")
            }
            if let place = made?.place(of: type) {
                throw ScaffoldError(.exists, "\(place) makes \(type) already: choose another name")
            }
            for folder in [sources, tests] {
                guard let place = try SwiftFiles(folder: folder).place(ofType: type) else { continue }
                throw ScaffoldError(.exists, "\(place) declares \(type) already: choose another name")
            }
        }
    }
}
