/// Chooses the names of a double's members: `data` for `data(for:)`.
///
/// A method uses its own name if no other member has it; otherwise its labels are added, then the types of its
/// parameters, then its result. A method without parameters cannot share its name with a property: it is called
/// `reloadMethod`. The order of the members does not matter.
struct MemberNames {
    private let names: [String]

    /// - Throws: ``SourceIssue`` for two members with the same names, or a member with a name that all doubles use.
    init(_ members: [Member], of double: String) throws(SourceIssue) {
        var names = members.map { Self.candidates($0).first ?? "" }
        for level in 0..<4 {
            let owners = Dictionary(grouping: members.indices) { "\(members[$0].isOfType) \(names[$0])" }
            for same in owners.values where same.count > 1 || level == 0 && Self.isTaken(same[0], members) {
                for index in same {
                    let candidates = Self.candidates(members[index])
                    names[index] = candidates[min(level + 1, candidates.count - 1)]
                }
            }
        }
        var owners: [String: Member] = [:]
        for (member, name) in zip(members, names) {
            let used = Self.used(member, name)
            guard !used.contains("testDouble"), !Self.isMethod(member, named: "testDouble") else {
                throw SourceIssue(member.location, "testDouble is a member of every double; rename the member")
            }
            for used in used {
                let key = "\(member.isOfType) \(used)"
                if let other = owners[key], !member.conditions.mayExclude(other.conditions) {
                    throw SourceIssue(
                        member.location,
                        "two members of \(double) have the name \(used); rename one of them")
                }
                owners[key] = member
            }
        }
        self.names = names
    }

    /// The name of the member at an index; for properties and subscripts, the common prefix of getter and setter.
    subscript(index: Int) -> String { names[index] }

    /// Whether a method cannot have its base name: a property has it, or the method's own declaration would collide.
    private static func isTaken(_ index: Int, _ members: [Member]) -> Bool {
        guard case .method(let call) = members[index].kind else { return false }
        return call.parameters.isEmpty
            || members.contains { member in
                guard case .property(let property) = member.kind else { return false }
                return property.isStatic == call.isStatic
                    && SourceText.bare(property.name) == SourceText.bare(call.base)
            }
    }

    /// Whether a member is a method with a name, regardless of its name in the double.
    private static func isMethod(_ member: Member, named name: String) -> Bool {
        guard case .method(let call) = member.kind else { return false }
        return SourceText.bare(call.base) == name
    }

    /// The possible names of a member, best first.
    private static func candidates(_ member: Member) -> [String] {
        switch member.kind {
        case .property(let property): return [SourceText.bare(property.name)]
        case .method(let call): return candidates(call, base: call.base)
        case .initializer(let call): return candidates(call, base: "initializer")
        case .subscript(let call, _): return candidates(call, base: "subscript")
        }
    }

    private static func candidates(_ call: Callable, base: String) -> [String] {
        let bare = SourceText.bare(base)
        let labels = call.parameters.map { words($0.label ?? $0.name) }.joined()
        let labelled = call.parameters.isEmpty && call.base != "init" ? "\(bare)Method" : bare + labels
        let typed = bare + call.parameters.map { words($0.label ?? $0.name) + words($0.type) }.joined()
        let returning = "\(call.parameters.isEmpty ? labelled : typed)Returning\(words(call.result))"
        return [
            base, labelled, typed == bare ? labelled : typed, returning,
            returning + (call.effects.isAsync ? "Async" : ""),
        ]
    }

    /// The names that the double declares for a member.
    private static func used(_ member: Member, _ name: String) -> [String] {
        switch member.kind {
        case .property(let property): ["\(name)Getter", "\(name)Setter", SourceText.bare(property.name)]
        case .subscript: ["\(name)Getter", "\(name)Setter"]
        case .method, .initializer: [SourceText.bare(name)]
        }
    }

    /// Converts text to a part of a name: `[String: Int]?` becomes `StringInt`.
    private static func words(_ text: String) -> String {
        text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map { $0.prefix(1).uppercased() + $0.dropFirst() }
            .joined()
    }
}
