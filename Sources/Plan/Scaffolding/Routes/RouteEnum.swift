/// The enum of an app's routes, in the file that declares it.
struct RouteEnum {
    let name: String
    let path: String
    /// Its line in the file, from 1.
    let line: Int
    private let code: SwiftCode
    /// nil if it is not understood.
    private let body: EnumBody?

    private static let conformance = "RouteCommand"

    /// Where it is declared, as editors jump there.
    var location: String { "\(path):\(line)" }

    /// Finds the enum in a target's sources; nil if there is none. Private ones are not the app's.
    ///
    /// - Parameter name: Which one, if there are several.
    /// - Throws: ``ScaffoldError``: `ambiguous` if several may be meant, or there are only others; `invalidSource` if routes
    ///   are declared in a way that is not understood; `cannotRead`.
    static func find(in folders: [String], named name: String?) throws(ScaffoldError) -> RouteEnum? {
        var found: [RouteEnum] = []
        var others: [RouteEnum] = []
        for folder in folders {
            try SwiftFiles(folder: folder).forEach(holding: conformance) { (path, code) throws(ScaffoldError) in
                for type in code.types() where type.inherited.contains(conformance) && type.keyword != "protocol" {
                    guard !isPrivate(type, code) else { continue }
                    let isOwnEnum = type.keyword == "enum" && code.depth(at: type.start) == 0
                    guard name == nil || name == type.name else {
                        if isOwnEnum { others.append(RouteEnum(type, path, code)) }
                        continue
                    }
                    guard isOwnEnum else {
                        throw ScaffoldError(
                            .invalidSource,
                            """
                            \(path):\(code.line(of: type.start)): \(type.name) is no enum of its own that says \
                            ': \(conformance)', so no case can be added: declare it so, or name another by --routes
                            """)
                    }
                    found.append(RouteEnum(type, path, code))
                }
            }
        }
        guard found.count < 2 else {
            throw ScaffoldError(.ambiguous, "there are several enums of routes, name one by --routes: \(list(found))")
        }
        // A second enum beside the app's is rarely meant, and a misspelt name is likely.
        if let name, found.isEmpty, !others.isEmpty {
            throw ScaffoldError(
                .ambiguous, "there is no enum of routes \(name), name one that there is by --routes: \(list(others))")
        }
        return found.first
    }

    private static func list(_ enums: [RouteEnum]) -> String {
        enums.map { "\($0.name) (\($0.location))" }.joined(separator: ", ")
    }

    private init(_ type: SwiftType, _ path: String, _ code: SwiftCode) {
        (name, self.path, self.code) = (type.name, path, code)
        line = code.line(of: type.start)
        body = EnumBody(type, in: code)
    }

    private static func isPrivate(_ type: SwiftType, _ code: SwiftCode) -> Bool {
        let before = code.words(in: 0..<type.start).last?.text
        return before == "private" || before == "fileprivate"
    }

    /// Whether cases may depend on `#if`.
    var isConditional: Bool { body?.isConditional ?? false }

    /// Its cases.
    ///
    /// - Throws: ``ScaffoldError``, `invalidSource`, with the line to write by hand.
    func cases(before name: ScaffoldName) throws(ScaffoldError) -> [EnumCase] {
        guard let body else { throw byHand(name) }
        return body.cases
    }

    /// The file with the case that a route needs; nil if it has that already.
    ///
    /// - Throws: ``ScaffoldError``: `exists` if its case carries values; `invalidSource` with the line to write by hand.
    func adding(_ name: ScaffoldName) throws(ScaffoldError) -> ScaffoldFile? {
        if let present = try cases(before: name).first(where: { $0.name == name.bareMember }) {
            guard !present.hasValues else {
                throw ScaffoldError(
                    .exists,
                    "\(location): \(self.name).\(name.bareMember) carries values, which its test must choose: write that by hand"
                )
            }
            return nil
        }
        guard let source = body?.source(adding: name.member) else { throw byHand(name) }
        return ScaffoldFile(changing: path, from: code.source, to: source)
    }

    private func byHand(_ name: ScaffoldName) -> ScaffoldError {
        ScaffoldError(
            .invalidSource,
            """
            \(location): \(self.name) is written in a way in which no case can be added safely: write 'case \(name.member)' \
            into it, on a line of its own and outside of #if, and run this again
            """)
    }
}
