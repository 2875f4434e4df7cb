/// The enum of an app's routes, in the file that declares it.
struct RouteEnum {
    let name: String
    let path: String
    /// Its line in the file, from 1.
    let line: Int
    private let code: SwiftCode
    /// Its body; nil if it cannot be parsed.
    private let body: EnumBody?

    private static let conformance = "RouteCommand"

    /// Its location in a form that editors can open.
    var location: String { "\(path):\(line)" }

    /// Finds the enum in a target's sources; nil if there is none. Private enums are ignored.
    ///
    /// - Parameter name: The name to select, if there are several.
    /// - Throws: ``ScaffoldError``: `ambiguous` if several enums match, or only others exist; `invalidSource` if the
    ///   declaration cannot be changed; `cannotRead`.
    static func find(in folders: [String], named name: String?) throws(ScaffoldError) -> RouteEnum? {
        var found: [RouteEnum] = []
        var others: [RouteEnum] = []
        for folder in folders {
            try SwiftFiles(folder: folder).forEach(holding: conformance) { (path, code) throws(ScaffoldError) in
                for type in code.types() where type.inherited.contains(conformance) && type.keyword != "protocol" {
                    guard !isPrivate(type, code) else { continue }
                    let isOwnEnum = type.keyword == "enum" && code.depth(at: type.start) == 0
                    guard name == nil || name == type.name else {
                        if isOwnEnum { others.append(RouteEnum(type, path: path, code: code)) }
                        continue
                    }
                    guard isOwnEnum else {
                        throw ScaffoldError(
                            .invalidSource,
                            """
                            \(path):\(code.line(of: type.start)): cannot add a case, because \(type.name) is not an enum that declares \
                            ': \(conformance)': declare it that way, or select another with --routes
                            """)
                    }
                    found.append(RouteEnum(type, path: path, code: code))
                }
            }
        }
        guard found.count < 2 else {
            throw ScaffoldError(.ambiguous, "there are several route enums, select one with --routes: \(list(found))")
        }
        // A second enum is rarely intended; a misspelled name is more likely.
        if let name, found.isEmpty, !others.isEmpty {
            throw ScaffoldError(
                .ambiguous, "no route enum \(name), select an existing one with --routes: \(list(others))")
        }
        return found.first
    }

    private static func list(_ enums: [RouteEnum]) -> String {
        enums.map { "\($0.name) (\($0.location))" }.joined(separator: ", ")
    }

    private init(_ type: SwiftType, path: String, code: SwiftCode) {
        name = type.name
        self.path = path
        self.code = code
        line = code.line(of: type.start)
        body = EnumBody(type, in: code)
    }

    private static func isPrivate(_ type: SwiftType, _ code: SwiftCode) -> Bool {
        let before = code.words(in: 0..<type.start).last?.text
        return before == "private" || before == "fileprivate"
    }

    /// Whether cases may depend on `#if`.
    var isConditional: Bool { body?.isConditional ?? false }

    /// Returns its cases.
    ///
    /// - Throws: ``ScaffoldError``, `invalidSource`, with the line to write by hand.
    func cases(before name: ScaffoldName) throws(ScaffoldError) -> [EnumCase] {
        guard let body else { throw byHand(name) }
        return body.cases
    }

    /// Returns the file with the case of a route added; nil if the case exists.
    ///
    /// - Throws: ``ScaffoldError``: `exists` if the case has associated values; `invalidSource` with the line to write
    ///   by hand.
    func adding(_ name: ScaffoldName) throws(ScaffoldError) -> ScaffoldFile? {
        if let present = try cases(before: name).first(where: { $0.name == name.bareMember }) {
            guard !present.hasValues else {
                throw ScaffoldError(
                    .exists,
                    "\(location): \(self.name).\(name.bareMember) carries values, which its test must choose: write the test by hand"
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
            \(location): cannot add a case to \(self.name) safely: write 'case \(name.member)' \
            into it, on a separate line and outside of #if, and run this again
            """)
    }
}
