internal import JSONSchema

extension LintRule {
    static let idPath = LintRule(
        "id-path", "$id is an absolute URI that ends in the file's path",
        why:
            "The URI is what other schemas refer to. One that follows from the path is unique, and a reader of the URI "
            + "finds the file. All schemas of a folder share what stands before the path.",
        good: .event(#""$id": "https://schemas.example.com/events/sign-up/1-0-0.json""#),
        bad: .event(
            #""$id": "https://schemas.example.com/events/sign-up/1-0-0.json""#,
            becomes: #""$id": "https://schemas.example.com/events/signup/1-0-0.json""#)
    ) { plan in
        var first: (path: String, prefix: String)?
        var faults: [LintFault] = []
        for document in plan.documents {
            guard let root = document.nodes.first else { continue }
            guard let id = root["$id"]?.string, id.hasSuffix("/" + document.path), id.contains("://") else {
                faults.append(
                    LintFault(root, at: ["$id"], "write an absolute URI as $id that ends in /\(document.path)"))
                continue
            }
            let prefix = String(id.dropLast(document.path.count))
            if let first, first.prefix != prefix {
                faults.append(LintFault(root, at: ["$id"], "begin $id with \(first.prefix), as in \(first.path)"))
            }
            first = first ?? (document.path, prefix)
        }
        return faults
    }
}
