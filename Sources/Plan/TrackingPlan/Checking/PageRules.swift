internal import EventModel
package import JSONSchema

/// What the pages of a plan ask of a `page-view`, as a schema: the checker then needs no memory for a valid line.
struct PageRules {
    /// Where the schema is among those of the plan.
    static let uri = "plan:/pages.json"

    private let pages: [PlannedPage]

    init(_ pages: PlannedPages) { self.pages = pages.pages }

    /// Pages whose views carry `additional` always, never, or at will.
    private enum Kind: CaseIterable { case always, never, atWill }

    private func names(_ kind: Kind) -> [String] {
        pages.filter { page in
            switch kind {
            case .always: page.additional?.isRequired == true
            case .never: page.additional == nil
            case .atWill: page.additional?.isRequired == false
            }
        }.map(\.name)
    }

    /// The schema of an event `page-view` on one of the pages.
    ///
    /// - Parameter event: The URI of the event's own schema, which is then asked for, too; nil for the pages alone.
    func schema(of event: String? = nil) -> String {
        let branches = Kind.allCases.compactMap { kind -> String? in
            let names = names(kind)
            guard !names.isEmpty else { return nil }
            var value =
                "\"properties\": {\"page\": {\"enum\": [\(names.map(JSONDocument.quoted).joined(separator: ", "))]}"
            switch kind {
            case .always: value += "}, \"required\": [\"page\", \"additional\"]"
            case .never: value += ", \"additional\": false}, \"required\": [\"page\"]"
            case .atWill: value += "}, \"required\": [\"page\"]"
            }
            return "{\"properties\": {\"value\": {\(value)}}, \"required\": [\"value\"]}"
        }
        let pages = branches.isEmpty ? "\"not\": {}" : "\"anyOf\": [\(branches.joined(separator: ", "))]"
        let own = event.map { "\"allOf\": [{\"$ref\": \(JSONDocument.quoted($0))}], " } ?? ""
        return "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\", \(own)\(pages)}"
    }
}

extension PlannedPages {
    /// What is wrong with the page of a `page-view` that satisfies its schema; nil for a page of the plan.
    ///
    /// - Parameter event: The event with its name and its value.
    package func finding(_ event: JSONDocument.Value) -> LineFinding? {
        guard let value = event["value"], let page = value["page"], let name = page.string else { return nil }
        guard let planned = self[name] else {
            // Any other text may be a value that nobody meant as a name: findings show none.
            let message =
                EventName.isValid(name)
                ? "the plan has no page \(name): add it to x-pages in \(Self.path), or correct its name"
                : "the plan has no such page: names of pages are kebab-case, such as order-history"
            return LineFinding(.pageNotInPlan, at: "/event/value/page", offset: page.offset, message)
        }
        switch (planned.additional, value["additional"]) {
        case (let additional?, nil) where additional.isRequired:
            return LineFinding(
                .pageAdditional, at: "/event/value", offset: value.offset,
                "the page \(name) carries additional, its \(additional.label): send it, or set required to false in \(Self.path)"
            )
        case (nil, let found?):
            return LineFinding(
                .pageAdditional, at: "/event/value/additional", offset: found.offset,
                "the page \(name) carries no additional: add it to the page in \(Self.path), or don't send it")
        default: return nil
        }
    }
}
