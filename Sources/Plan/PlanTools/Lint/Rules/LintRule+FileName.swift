internal import EventModel
internal import JSONSchema
internal import TrackingPlan

extension LintRule {
    static let fileName = LintRule(
        "file-name", "Schemas stand at events/<name>/<version>.json and container/<version>.json",
        why:
            "A line names its schema as name and version; the path is how everybody finds it. Names are kebab-case, at "
            + "most \(EventName.maximumLength) bytes, and never container; versions are MODEL-REVISION-ADDITION, such as 1-0-0.",
        good: .paths(["events/sign-up/1-0-0.json"]),
        bad: .paths(["events/SignUp/1-0-0.json", "events/sign-up/1.0.0.json"])
    ) { plan in
        plan.folder.files.filter { EventPlan.isSchema($0.path) }.compactMap { file in
            guard let identity = PlanSchema.identity(ofPath: file.path) else {
                return LintFault(
                    file.path,
                    "move it: schemas stand at events/<name>/<version>.json or container/<version>.json, "
                        + "with a version such as 1-0-0")
            }
            guard EventName.isValid(identity.name) else {
                return LintFault(
                    file.path, "rename its folder: names of events are kebab-case, such as page-view, and short")
            }
            guard identity.name != "container" || !file.path.hasPrefix("events/") else {
                return LintFault(
                    file.path, "rename its folder: container is the name of what stands around every event")
            }
            return nil
        }
    }
}
