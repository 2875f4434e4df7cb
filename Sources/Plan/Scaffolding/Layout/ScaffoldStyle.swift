/// How an app sends events. Generated code follows it.
package enum ScaffoldStyle: String, CaseIterable, Sendable {
    /// Types receive a `Tracker`.
    case tracker
    /// Types receive a `TrackingEnvironment`, and a `RouteCommand` leads to screens.
    case flux

    private static let fluxTypes: Set = ["TrackingEnvironment", "RouteCommand"]

    /// Detects the style of a target's sources: `flux` if they name a type of the Flux layer or import only its module,
    /// else `tracker`.
    ///
    /// - Parameter folders: The folders and files of the sources.
    /// - Throws: ``ScaffoldError``, `cannotRead`.
    init(of folders: [String]) throws(ScaffoldError) {
        var modules: Set<String> = []
        var usesFlux = false
        for folder in folders {
            for word in ["Tracking", "RouteCommand"] {
                try SwiftFiles(folder: folder).forEach(holding: word) { (_, code) throws(ScaffoldError) in
                    let words = code.words().map(\.text)
                    usesFlux = usesFlux || words.contains(where: Self.fluxTypes.contains)
                    modules.formUnion(zip(words, words.dropFirst()).filter { $0.0 == "import" }.map(\.1))
                }
            }
        }
        let importsFlux = modules.contains("TrackingCore") && !modules.contains("Tracking")
        self = usesFlux || importsFlux ? .flux : .tracker
    }
}
