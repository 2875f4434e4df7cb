internal import EventModel
internal import JSONSchema

extension LintRule {
    static let versionGap = LintRule(
        "version-gap", "Versions count up by one, from 1-0-0",
        why: "A version that is missing was lost, or was published elsewhere: nobody can read its events any more.",
        good: .paths(["events/sign-up/1-0-0.json", "events/sign-up/1-0-1.json", "events/sign-up/2-0-0.json"]),
        bad: .paths(["events/sign-up/1-0-0.json", "events/sign-up/1-0-2.json"])
    ) { plan in
        var latest: [String: SchemaVersion] = [:]
        var faults: [LintFault] = []
        let documents = plan.documents.filter { $0.identity != nil }
        for document in documents.sorted(by: { ($0.identity?.version).precedes($1.identity?.version) }) {
            guard let (name, version) = document.identity, let root = document.nodes.first else { continue }
            let kind = document.isContainer ? "container" : "events/\(name)"
            let expected =
                latest[kind].map(followers) ?? [SchemaVersion(1, 0, 0)]
            if !expected.contains(version) {
                let list = expected.map(\.description).joined(separator: ", ")
                let before = latest[kind].map { "after \($0) comes one of \(list)" } ?? "the first version is \(list)"
                faults.append(LintFault(root, at: ["$id"], "\(before): rename it, or bring back what is missing"))
            }
            latest[kind] = version
        }
        return faults
    }

    /// The versions that may come after one: none that no number is left for.
    private static func followers(_ version: SchemaVersion) -> [SchemaVersion] {
        func next(_ number: Int) -> Int? { number == .max ? nil : number + 1 }
        return [
            next(version.addition).map { SchemaVersion(version.model, version.revision, $0) },
            next(version.revision).map { SchemaVersion(version.model, $0, 0) },
            next(version.model).map { SchemaVersion($0, 0, 0) },
        ].compactMap { $0 }
    }
}

extension SchemaVersion? {
    fileprivate func precedes(_ other: SchemaVersion?) -> Bool {
        guard let self, let other else { return self == nil && other != nil }
        return self < other
    }
}
