/// How an app sends its events, which the code written for it follows.
package enum ScaffoldStyle: String, CaseIterable, Sendable {
    /// Types are handed a `Tracker`.
    case tracker
    /// Types are handed a `TrackingEnvironment`, and screens are reached by a `RouteCommand`.
    case flux

    private static let fluxTypes: Set = ["TrackingEnvironment", "RouteCommand"]

    /// The style that a target's sources use: `flux` if they name a type of the Flux layer, or import only its module;
    /// `tracker` otherwise.
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
