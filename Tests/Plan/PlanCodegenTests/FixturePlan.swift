import Foundation
import PlanCodegen
import TrackingPlan

/// The folders that the tests read, and plans of one event.
enum FixturePlan {
    static let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardized.path
    /// A plan that holds every construct; the embedding app in tools is built of it.
    static let everything = root + "/tools/checks/codegen/Sources/CodegenClient/Schemas"
    static let golden = root + "/Tests/Plan/PlanCodegenTests/Golden"

    /// A folder with one event, `basket-opened`, whose value is this schema.
    ///
    /// - Parameter root: More members of the event's schema, each followed by a comma.
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

    /// A folder with one event whose value has one property, `it`, with this schema.
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

    /// The code of a folder's only event; the faults if there are any.
    static func code(_ folder: PlanFolder) -> String {
        do throws(CodegenError) {
            return try CodeGenerator(folder, access: .internal).files().map(\.text).joined()
        } catch {
            return error.message
        }
    }
}
