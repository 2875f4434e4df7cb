package import TrackingPlan

/// A piece of a plan that keeps to a rule, or breaks it.
package struct LintExample: Sendable {
    /// What a reader is shown: the part that matters, as the text of a file.
    package let text: String
    /// The file that the text stands in, where that matters.
    package let path: String?
    /// A whole folder with it.
    package let folder: PlanFolder

    /// Whether the text is JSON, or members of an object.
    var isJSON: Bool { text.hasPrefix("{") || text.hasPrefix("\"") }

    /// A member of `properties` of an event's value, in an event that is right in all else.
    ///
    /// - Parameters:
    ///   - text: `"city": { … }`
    ///   - required: The names that the value requires.
    package static func property(_ text: String, required: [String] = []) -> LintExample {
        let list = required.map { "\"\($0)\"" }.joined(separator: ", ")
        return value(
            "\"type\": \"object\", \"required\": [\(list)], \"additionalProperties\": false", text, shows: text)
    }

    /// The schema of an event's value, without its braces and its description.
    package static func value(_ text: String) -> LintExample { value(text, nil, shows: text) }

    private static func value(_ members: String, _ properties: String?, shows text: String) -> LintExample {
        let rest = properties.map { ", \"properties\": {\($0)}" } ?? ""
        let schema = event(
            "\"value\": {\"description\": \"What came with it.\", \(members)\(rest)}", more: "")
        return LintExample(text: text, path: nil, folder: folder([(path: eventPath, text: schema)]))
    }

    /// Members of the outermost schema of an event that is right in all else.
    package static func member(_ text: String) -> LintExample {
        LintExample(text: text, path: nil, folder: folder([(path: eventPath, text: event(nil, more: text + ","))]))
    }

    /// An event that is right, but for one part of its text; that part is what a reader is shown.
    ///
    /// - Parameters:
    ///   - part: As it stands in the schema.
    ///   - other: What takes its place; nil for the part itself.
    package static func event(_ part: String, becomes other: String? = nil) -> LintExample {
        let text = event(nil, more: "").replacing(part, with: other ?? part)
        return LintExample(text: other ?? part, path: nil, folder: folder([(path: eventPath, text: text)]))
    }

    /// An event that is right, in files of these paths, each with its `$id`.
    package static func paths(_ paths: [String]) -> LintExample {
        let files = paths.map { path in
            let name = PlanSchema.identity(ofPath: path)?.name ?? "sign-up"
            return (path: path, text: event(nil, more: "", path: path, name: name))
        }
        return LintExample(text: paths.joined(separator: "\n"), path: nil, folder: folder(files))
    }

    /// Any files beside an event that is right.
    package static func files(_ files: [(path: String, text: String)], shows text: String) -> LintExample {
        LintExample(
            text: text, path: files.first?.path, folder: folder([(path: eventPath, text: event(nil, more: ""))] + files)
        )
    }

    private static let eventPath = "events/sign-up/1-0-0.json"
    private static let root = "https://schemas.example.com/"

    private static func event(
        _ value: String?, more: String, path: String = eventPath, name: String = "sign-up"
    ) -> String {
        """
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "$id": "\(root)\(path)",
          "title": "\(name)",
          "description": "A person signed up.",
          \(more)
          "type": "object",
          "required": ["name"],
          "additionalProperties": false,
          "properties": {
            "name": {"const": "\(name)", "description": "The event's name."}\(value.map { ", \($0)" } ?? "")
          },
          "examples": [{"name": "\(name)"}]
        }
        """
    }

    private static func folder(_ files: [(path: String, text: String)]) -> PlanFolder {
        let container = """
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "$id": "\(root)container/1-0-0.json",
              "title": "Container",
              "description": "A line.",
              "type": "object",
              "required": ["event"],
              "additionalProperties": false,
              "properties": {
                "event": {
                  "type": "object", "description": "What happened.", "x-open": "its own schema says", "x-pii": false
                }
              },
              "examples": [{"event": {"name": "sign-up"}}]
            }
            """
        var all = files
        if !files.contains(where: { $0.path.hasPrefix("container/") }) {
            all.append((path: "container/1-0-0.json", text: container))
        }
        return PlanFolder(files: all.map { PlanFile(path: $0.path, bytes: Array($0.text.utf8)) })
    }
}
