internal import SwiftSyntax

/// Writes a double. The code only forwards calls; the behavior is in the runtime.
struct DoubleWriter {
    private let plan: DoublePlan
    private let access: String
    /// `nonisolated ` if the double is isolated to an actor, so that a test can read it from anywhere.
    private let free: String
    private let freeInit: String

    init(plan: DoublePlan, access: Access) {
        self.plan = plan
        self.access = access.prefix
        let isIsolated = plan.isActor || !plan.isolation.isEmpty
        free = isIsolated ? "nonisolated " : ""
        freeInit = plan.isolation.isEmpty ? "" : "nonisolated "
    }

    private var name: String { plan.declaration.doubleName }

    /// The declaration, nested in the protocol's enclosing types and `#if` conditions.
    var text: String {
        let lines = Attributes.availability(plan.declaration.syntax.attributes) + plan.isolation + [header]
        let members = [aliases, initializer, statics, extras].filter { !$0.isEmpty } + self.members
        var code = lines.joined(separator: "\n") + "\n" + members.map(indented).joined(separator: "\n\n") + "\n}"
        if !plan.declaration.outer.isEmpty {
            code = "extension \(plan.declaration.outer.joined(separator: ".")) {\n\(indented(code))\n}"
        }
        return plan.declaration.conditions.wrap(code)
    }

    private var header: String {
        let kind = (isNonisolated ? "nonisolated " : "") + access + (plan.isActor ? "actor" : "final class")
        // All contents of a double are Sendable, whether or not its protocol is: answers may use other doubles.
        let parents =
            (plan.isObject ? ["NSObject"] : []) + [plan.declaration.name] + (plan.isActor ? [] : ["Sendable"])
        return "\(kind) \(name)\(plan.types.parameters): \(parents.joined(separator: ", "))\(plan.types.whereClause) {"
    }

    private var isNonisolated: Bool {
        plan.declaration.syntax.modifiers.contains { $0.name.text == "nonisolated" }
    }

    private var aliases: String {
        plan.types.aliases.map { "\(access)typealias \($0.name) = \($0.type)" }.joined(separator: "\n")
    }

    private var initializer: String {
        """
        \(access)let testDouble: TestDouble

        \(freeInit)\(access)init(fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column) {
            testDouble = TestDouble("\(name)", fileID: fileID, filePath: filePath, line: line, column: column)
        }
        """
    }

    private var statics: String {
        guard plan.members.contains(where: \.isOfType) else { return "" }
        return "\(free)\(access)static var testDouble: TestDouble { .statics(of: self) }"
    }

    private var extras: String {
        var lines: [String] = []
        if plan.extras.contains(.equatable) {
            lines.append(
                "\(free)\(access)static func == (left: \(ownType), right: \(ownType)) -> Bool { left === right }")
        }
        if plan.extras.contains(.hashable) {
            lines.append(
                "\(free)\(access)func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }")
        }
        if plan.extras.contains(.described) {
            lines.append("\(free)\(access)var description: String { testDouble.name }")
        }
        if plan.extras.contains(.debugDescribed) {
            lines.append("\(free)\(access)var debugDescription: String { testDouble.name }")
        }
        return lines.joined(separator: "\n")
    }

    /// The type of the double, with arguments for its associated types.
    private var ownType: String {
        let names = plan.types.openNames
        return names.isEmpty ? name : "\(name)<\(names.joined(separator: ", "))>"
    }

    private var members: [String] {
        plan.members.enumerated().map { index, member in
            let writer = MemberWriter(
                member: member, name: plan.names[index], access: access, free: free, double: name)
            let code = SourceText.replace("Self", in: writer.text) { isMemberFollowing in
                isMemberFollowing ? "" : ownType
            }
            return member.conditions.wrap(code)
        }
    }

    private func indented(_ code: String) -> String {
        code.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty || $0.hasPrefix("#if") || $0.hasPrefix("#endif") ? String($0) : "    \($0)" }
            .joined(separator: "\n")
    }
}
