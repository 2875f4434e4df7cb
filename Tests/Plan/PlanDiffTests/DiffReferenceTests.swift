import Testing

@testable import PlanDiff

@Suite("Changes behind references")
struct DiffReferenceTests {
    private static func tree(_ keyword: String, _ pattern: String, anchor: String = "") -> String {
        """
        {"type": "object", \(keyword), "$defs": {"t": {"type": "object", "required": ["k"], \(anchor) "properties": {
          "next": {"$ref": "#/$defs/t"}, "k": {"type": "string", "pattern": "\(pattern)"}}}}}
        """
    }

    static let keywords = [
        ##""properties": {"x": {"not": {"$ref": "#/$defs/t"}}}"##,
        ##""properties": {"x": {"if": {"$ref": "#/$defs/t"}, "then": false}}"##,
        ##""properties": {"x": {"contains": {"$ref": "#/$defs/t"}, "maxContains": 1}}"##,
        ##""properties": {"x": {"oneOf": [{"$ref": "#/$defs/t"}, {"type": "string"}]}}"##,
    ]

    @Test("Changes in recursive schemas are found", arguments: keywords)
    func recursion(_ keyword: String) throws {
        let diff = try TestPlan.diff(Self.tree(keyword, "^[0-9]{12}$"), Self.tree(keyword, "^[0-9]{12,13}$"))
        #expect(diff.needed == .model)
    }

    @Test("Changes behind a $dynamicRef are found")
    func dynamic() throws {
        let keyword = ##""properties": {"x": {"$dynamicRef": "#n"}}"##
        let anchor = #""$dynamicAnchor": "n","#
        let old = Self.tree(keyword, "^[0-9]{12}$", anchor: anchor)
        let diff = try TestPlan.diff(old, Self.tree(keyword, "^[0-9]{12,13}$", anchor: anchor))
        #expect(diff.needed == .model)
        #expect(diff.changes.map(\.rule.id) == ["reference-changed"])
        #expect(try TestPlan.diff(old, old + "\n").changes.isEmpty)
    }

    @Test("Documentation changes and equal schemas need no bump", arguments: keywords)
    func words(_ keyword: String) throws {
        let old = Self.tree(keyword, "^[0-9]{12}$")
        #expect(try TestPlan.diff(old, old + "\n").changes.isEmpty)
        let new = Self.tree(keyword, "^[0-9]{12}$").replacing(#""k": {"#, with: #""k": {"title": "K", "#)
        #expect(try TestPlan.diff(old, new).needed <= .addition)
    }

    @Test("The time does not grow with the number of paths", .timeLimit(.minutes(5)))
    func branches() throws {
        func chain(_ last: String) -> String {
            let links = (0..<30).map { number in
                ##""a\##(number)": {"properties": {"x": {"$ref": "#/$defs/a\##(number + 1)"}, "y": {"$ref": "#/$defs/a\##(number + 1)"}}}"##
            }
            return ##"{"$ref": "#/$defs/a0", "$defs": {\##(links.joined(separator: ",")), "a30": \##(last)}}"##
        }
        let diff = try TestPlan.diff(chain(#"{"type": "string"}"#), chain(#"{"type": "integer"}"#))
        #expect(diff.needed == .model)
        #expect(diff.openReason == nil || diff.openReason == "references expand to too many schemas")
        #expect(diff.changes.count <= 1000)
    }
}
