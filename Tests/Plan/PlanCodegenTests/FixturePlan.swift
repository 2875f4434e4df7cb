import Foundation
import PlanCodegen
import TrackingPlan

/// The folders of the tests, and plans with one event.
enum FixturePlan {
    static let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardized.path
    /// A plan with every construct; the embedding app in tools is built from it.
    static let everything = root + "/tools/checks/codegen/Sources/CodegenClient/Schemas"
    static let golden = root + "/Tests/Plan/PlanCodegenTests/Golden"

    /// Returns a folder with one event, `basket-opened`, whose value has this schema.
    ///
    /// - Parameter root: Additional members of the event's schema, each followed by a comma.
    static func folder(value: String, root: String = "") -> PlanFolder {
        event(
            """
            {
            \(root)"type": "object", "required": ["name", "value"], "additionalProperties": false,
            "properties": {"name": {"const": "basket-opened"}, "value":
            \(value)
            }}
            """)
    }

    /// Returns a folder with one event whose value has one property, `it`, with this schema.
    static func folder(property: String, isRequired: Bool = true, root: String = "") -> PlanFolder {
        folder(
            value: """
                {"type": "object", "required": [\(isRequired ? "\"it\"" : "")], "additionalProperties": false,
                "properties": {"it":
                \(property)
                }}
                """, root: root)
    }

    static func event(_ text: String, path: String = "events/basket-opened/1-0-0.json") -> PlanFolder {
        PlanFolder(name: "S", files: [PlanFile(path: path, bytes: Array(text.utf8))])
    }

    /// Returns the code of a folder's only event, or the issues.
    static func code(_ folder: PlanFolder) -> String {
        do throws(CodegenError) {
            return try CodeGenerator(folder, access: .internal).files().map(\.text).joined()
        } catch {
            return error.message
        }
    }
}
