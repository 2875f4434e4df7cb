import EventNaming
import TrackingPlan

/// Plans with one event, `a`, whose value has a member `p`.
enum TestPlan {
    /// A schema of the event.
    static func event(_ member: String) -> String {
        """
        {
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

    /// A plan with the event in these versions.
    static func folder(_ versions: [(version: String, schema: String)], name: String = "Schemas") -> PlanFolder {
        let files = versions.map { PlanFile(path: "events/a/\($0.version).json", bytes: Array($0.schema.utf8)) }
        return PlanFolder(
            name: name, files: files + [PlanFile(path: "container/1-0-0.json", bytes: Array("{}".utf8))])
    }
}
