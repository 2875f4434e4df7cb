internal import JSONSchema

extension LintRule {
    static let eventName = LintRule(
        "event-name", "Folder, title and the constant of the property name agree",
        why:
            "The name in the path chooses the schema, the name in the line is what reports count: were they to differ, "
            + "no line could be valid, or lines would be counted as another event.",
        good: .event(#""title": "sign-up""#),
        bad: .event(#""title": "sign-up""#, becomes: #""title": "Sign-up""#)
    ) { document, root in
        guard let name = document.identity?.name, !document.isContainer else { return [] }
        var faults: [LintFault] = []
        if root["title"] != nil, root["title"]?.string != name {
            faults.append(LintFault(root, at: ["title"], "write \(name) as title, as in the path"))
        }
        if root[path: "properties", "name", "const"]?.string != name {
            faults.append(
                LintFault(
                    root, at: ["properties", "name", "const"],
                    "describe the property name by \"const\": \"\(name)\", as in the path"))
        }
        if root["required"]?.elements.contains(where: { $0.string == "name" }) != true {
            faults.append(LintFault(root, at: ["required"], "require the property name"))
        }
        return faults
    }
}
