internal import EventModel
package import JSONSchema

/// The requirements of a plan's pages on a `page-view`, as a schema. Checking a valid line then needs no allocation.
struct PageRules {
    static let uri = "plan:/pages.json"

    private let pages: [PlannedPage]

    init(_ pages: PlannedPages) { self.pages = pages.pages }

    /// Pages whose views always, never or optionally carry `additional`.
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

    /// Returns the schema of a `page-view` event on one of the pages.
    ///
    /// - Parameter event: The URI of the event's own schema, which then also applies; nil for only the pages.
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
    /// Returns the problem with the page of a `page-view` that satisfies its schema; nil for a page of the plan.
    ///
    /// - Parameter event: The event with its name and its value.
    package func finding(_ event: JSONDocument.Value) -> LineFinding? {
        guard let value = event["value"], let page = value["page"], let name = page.string else { return nil }
        guard let planned = self[name] else {
            // Other texts may be values rather than names, and findings contain no values.
            let message =
                EventName.isValid(name)
                ? "the plan has no page \(name): add it to x-pages in \(Self.path), or correct its name"
                : "the plan has no such page: page names are kebab-case, such as order-history"
            return LineFinding(.pageNotInPlan, at: "/event/value/page", offset: page.offset, message)
        }
        switch (planned.additional, value["additional"]) {
        case (let additional?, nil) where additional.isRequired:
            return LineFinding(
                .pageAdditional, at: "/event/value", offset: value.offset,
                """
                the page \(name) requires additional (its \(additional.label)): send it, or set required to false in \
                \(Self.path)
                """
            )
        case (nil, let found?):
            return LineFinding(
                .pageAdditional, at: "/event/value/additional", offset: found.offset,
                "the page \(name) has no additional: add it to the page in \(Self.path), or don't send it")
        default: return nil
        }
    }
}
