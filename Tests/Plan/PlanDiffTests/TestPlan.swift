import Testing
import TrackingPlan

@testable import PlanDiff

/// Plans with one event, `a`, whose value has a member `p`.
enum TestPlan {
    /// A schema of the event.
    ///
    /// - Parameter text: The schema of the member `p`. Text that starts with a quote is members of the event's own
    ///   schema.
    static func event(_ text: String) -> String {
        text.hasPrefix("\"") ? event("true", more: text + ",") : event(text, more: "")
    }

    private static func event(_ member: String, more: String) -> String {
        """
        {\(more)
          "type": "object",
          "required": ["name", "value"],
          "additionalProperties": false,
          "properties": {
            "name": {"const": "a"},
            "value": {"type": "object", "additionalProperties": false, "properties": {
              "p": \(member)
            }}
          }
        }
        """
    }

    /// Returns the changes between two schemas of the event, as versions 1-0-0 and 2-0-0.
    static func diff(_ old: String, _ new: String) throws -> VersionDiff {
        let plans = (
            old: folder([("1-0-0", old)], name: "old"), new: folder([("1-0-0", old), ("2-0-0", new)])
        )
        let event = try PlanDiff(plans.new, against: (plans.old, "old")).events.first { $0.name == "a" }
        return try #require(event?.comparisons.first?.diff)
    }

    /// Returns a plan with the event in these versions.
    static func folder(_ versions: [(version: String, schema: String)], name: String = "Schemas") -> PlanFolder {
        let files = versions.map { PlanFile(path: "events/a/\($0.version).json", bytes: Array($0.schema.utf8)) }
        return PlanFolder(
            name: name, files: files + [PlanFile(path: "container/1-0-0.json", bytes: Array("{}".utf8))])
    }
}
