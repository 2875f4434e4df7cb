internal import JSONSchema
package import TrackingPlan

/// Part of a plan that follows or breaks a rule.
package struct LintExample: Sendable {
    /// The part to show to the reader, as text of a file.
    package let text: String
    /// The file of the text; nil if it doesn't matter.
    package let path: String?
    /// A complete plan folder that contains the text.
    package let folder: PlanFolder

    /// Whether the text is JSON, or members of an object.
    package var isJSON: Bool { text.hasPrefix("{") || text.hasPrefix("\"") }

    /// Makes an example from one member of `properties` in an event's value; the rest of the event is valid.
    ///
    /// - Parameters:
    ///   - text: `"city": { … }`
    ///   - required: The names that the value requires.
    package static func property(_ text: String, required: [String] = []) -> LintExample {
        let list = required.map(JSONDocument.quoted).joined(separator: ", ")
        return value(
            Skeletons.value.replacing("<required>", with: list).replacing("<property>", with: text), shows: text)
    }

    /// Makes an example from the schema of an event's value, without its braces and its description.
    package static func value(_ text: String) -> LintExample { value(text, shows: text) }

    private static func value(_ members: String, shows text: String) -> LintExample {
        let schema = event(value: ", \"value\": {\"description\": \"What came with it.\", \(members)}")
        return LintExample(text: text, path: nil, folder: folder([(path: eventPath, text: schema)]))
    }

    /// Makes an example from members of the root schema of an event; the rest of the event is valid.
    package static func member(_ text: String) -> LintExample {
        LintExample(text: text, path: nil, folder: folder([(path: eventPath, text: event(members: text + ","))]))
    }

    /// Makes an example from part of a valid event's text, optionally replaced.
    ///
    /// - Parameters:
    ///   - part: The part as it is in the schema.
    ///   - other: The replacement to show; nil shows the part itself.
    package static func event(_ part: String, becomes other: String? = nil) -> LintExample {
        let text = event().replacing(part, with: other ?? part)
        return LintExample(text: other ?? part, path: nil, folder: folder([(path: eventPath, text: text)]))
    }

    /// Makes an example from schema files with these paths, each with a matching `$id`.
    package static func paths(_ paths: [String]) -> LintExample {
        let files = paths.map { path in
            (path: path, text: event(path: path, name: PlanSchema.identity(ofPath: path)?.name ?? "sign-up"))
        }
        return LintExample(text: paths.joined(separator: "\n"), path: nil, folder: folder(files))
    }

    /// Makes an example from a list of purposes, separated by commas: a plan with an event of each.
    private static func purposes(_ text: String) -> LintExample {
        let files = text.split(separator: ", ").map { purpose in
            let path = "events/sign-up-for-\(purpose)/1-0-0.json"
            let members = "\"x-purpose\": \"\(purpose)\","
            return (path: path, text: event(members: members, path: path, name: "sign-up-for-\(purpose)"))
        }
        return LintExample(text: text, path: nil, folder: folder(files))
    }

    /// Makes an example from any files next to a valid event.
    package static func files(_ files: [(path: String, text: String)], shows text: String) -> LintExample {
        LintExample(
            text: text, path: files.first?.path, folder: folder([(path: eventPath, text: event())] + files))
    }

    /// Makes an example from a `page-view` line, in a plan that lists its pages.
    private static func pageView(_ line: String) -> LintExample {
        let path = "events/\(PlannedPages.eventName)/1-0-0.json"
        let page = Skeletons.value.replacing("<required>", with: "\"page\"").replacing(
            "<property>",
            with:
                #""page": {"type": "string", "minLength": 1, "maxLength": 64, "description": "Which.", "x-pii": false}"#
        )
        let view = event(
            value: ", \"value\": {\"description\": \"Which page.\", \(page)}", path: path, name: PlannedPages.eventName
        ).replacing(
            "\"examples\": [{\"name\": \"page-view\"}]",
            with: "\"examples\": [{\"name\": \"page-view\", \"value\": {\"page\": \"basket\"}}]")
        let schema =
            #""schema": {"type": "string", "minLength": 1, "maxLength": 96, "description": "Which.", "x-pii": false},"#
        let container = Skeletons.container.replacing(
            "\"properties\": {\n    \"event\"", with: "\"properties\": {\n    \(schema)\n    \"event\"")
        return files(
            [
                ("examples/good/\(PlannedPages.eventName).jsonl", line + "\n"), (path, view),
                ("container/1-0-0.json", container),
                ("examples/good/sign-up.jsonl", "{\"event\": {\"name\": \"sign-up\"}}\n"),
                (
                    PlannedPages.path,
                    "{\"x-pages\": {\"basket\": {\"description\": \"What the user is about to buy.\"}}}\n"
                ),
            ], shows: line)
    }

    private static let eventPath = "events/sign-up/1-0-0.json"

    private static func event(
        value: String = "", members: String = "", path: String = eventPath, name: String = "sign-up"
    ) -> String {
        Skeletons.event.replacing("<path>", with: path).replacing("<name>", with: name)
            .replacing("<members>", with: members).replacing("<value>", with: value)
    }

    private static func folder(_ files: [(path: String, text: String)]) -> PlanFolder {
        var all = files
        if !files.contains(where: { $0.path.hasPrefix("container/") }) {
            all.append((path: "container/1-0-0.json", text: Skeletons.container))
        }
        return PlanFolder(files: all.map { PlanFile(path: $0.path, bytes: Array($0.text.utf8)) })
    }

    /// The schemas around the examples, from `Examples`.
    private enum Skeletons {
        static let event = text(PackageResources.event_json)
        static let container = text(PackageResources.container_json)
        static let value = text(PackageResources.value_txt)

        private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes.dropLast(), as: UTF8.self) }
    }
}

extension LintExample {
    /// The kind of text that the examples of a rule are. The text is in `Examples/rules.txt`.
    enum Kind {
        /// See ``LintExample/property(_:required:)``.
        case property(required: [String] = [])
        /// See ``LintExample/value(_:)``.
        case value
        /// See ``LintExample/member(_:)``.
        case member
        /// A part of an event; the bad example replaces the good one.
        case event
        /// See ``LintExample/paths(_:)``.
        case paths
        /// A line in a folder of examples.
        case line(in: String)
        /// A list of pages: the complete `pages.json`.
        case pages
        /// A list of unplanned events: the complete `unplanned.json`.
        case unplanned
        /// A line with a `page-view`, in a plan whose only page is `basket`.
        case pageView
        /// The purposes of a plan, separated by commas.
        case purposes
    }

    /// Returns the examples of a rule.
    static func pair(_ rule: String, good: Kind, bad: Kind) -> (good: LintExample, bad: LintExample) {
        let texts = (good: texts["\(rule) good"] ?? "", bad: texts["\(rule) bad"] ?? "")
        let second =
            if case .event = bad { event(texts.good, becomes: texts.bad) } else { example(texts.bad, bad) }
        return (example(texts.good, good), second)
    }

    private static func example(_ text: String, _ kind: Kind) -> LintExample {
        switch kind {
        case .property(let required): property(text, required: required)
        case .value: value(text)
        case .member: member(text)
        case .event: event(text)
        case .paths: paths(text.split(separator: "\n").map(String.init))
        case .pages: files([(path: PlannedPages.path, text: text + "\n")], shows: text)
        case .unplanned: files([(path: UnplannedList.path, text: text + "\n")], shows: text)
        case .pageView: pageView(text)
        case .purposes: purposes(text)
        case .line(let folder): files([(path: "examples/\(folder)/sign-up.jsonl", text: text + "\n")], shows: text)
        }
    }

    /// The texts by `<rule> good` and `<rule> bad`. Empty lines separate the blocks; the first line of a block is its
    /// key.
    private static let texts: [String: String] = {
        let blocks = String(decoding: PackageResources.rules_txt, as: UTF8.self).split(separator: "\n\n")
        let pairs = blocks.compactMap { block -> (String, String)? in
            let parts = block.split(separator: "\n", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            return (String(parts[0]), String(parts[1].hasSuffix("\n") ? parts[1].dropLast() : parts[1]))
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }()
}
