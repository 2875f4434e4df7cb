internal import SwiftSyntax

/// The content of a double: the protocol with all inherited members.
struct DoublePlan {
    let declaration: ProtocolDeclaration
    private(set) var members: [Member] = []
    private(set) var names: MemberNames
    /// `actor`, or `final class`.
    private(set) var isActor = false
    private(set) var isObject = false
    /// Conformances that the double itself must implement.
    private(set) var extras: Set<Extra> = []
    private(set) var isolation: [String] = []
    private(set) var types: AssociatedTypes

    /// Protocols of the standard library that a double implements by itself.
    enum Extra { case equatable, hashable, described, debugDescribed }

    /// Inherited protocols that need no implementation.
    private static let free: Set = [
        "Sendable", "SendableMetatype", "AnyObject", "class", "Copyable", "Escapable", "Error", "Identifiable",
        "Observable", "ObservableObject",
    ]

    /// - Throws: ``DoublesError`` with all errors of the protocol and its inherited protocols.
    init(_ declaration: ProtocolDeclaration, _ library: ProtocolLibrary) throws(DoublesError) {
        self.declaration = declaration
        var collected = Collected()
        collected.collect(declaration, library)
        var issues = collected.issues
        var members: [Member] = []
        for requirement in collected.requirements {
            do throws(SourceIssue) {
                let member = try Member(requirement, library)
                if let index = members.firstIndex(where: { $0.identity == member.identity }) {
                    if !member.isCovered(by: members[index]) { members[index] = member }
                } else {
                    members.append(member)
                }
            } catch { issues.append(error) }
        }
        if declaration.access == nil {
            issues.append(
                SourceIssue(
                    declaration.location, "\(declaration.name) is private, so no double can conform; remove `private`"))
        }
        do throws(SourceIssue) { names = try MemberNames(members, of: declaration.doubleName) } catch {
            issues.append(error)
            throw ProtocolLibrary.error(issues)
        }
        issues += Self.identityIssue(declaration, collected, members).map { [$0] } ?? []
        issues += collected.types.uncopiedNames.map { name in
            SourceIssue(
                declaration.location,
                "\(name) of \(declaration.name) is noncopyable, which is not supported; write this double by hand")
        }
        guard issues.isEmpty else { throw ProtocolLibrary.error(issues) }
        self.members = members
        types = collected.types
        isolation = collected.isolation
        isActor = collected.known.contains("Actor")
        isObject = collected.known.contains("NSObjectProtocol")
        if collected.known.contains("Equatable") { extras.insert(.equatable) }
        if collected.known.contains("Hashable") { extras.formUnion([.equatable, .hashable]) }
        if collected.known.contains("CustomStringConvertible") { extras.insert(.described) }
        if collected.known.contains("CustomDebugStringConvertible") { extras.insert(.debugDescribed) }
    }

    /// An object has an `id`, but only of type `ObjectIdentifier`: for another type, the protocol must declare `var
    /// id`.
    private static func identityIssue(
        _ declaration: ProtocolDeclaration, _ collected: Collected, _ members: [Member]
    ) -> SourceIssue? {
        let isIdentified = members.contains { member in
            guard case .property(let property) = member.kind else { return false }
            return property.name == "id" && !property.isStatic
        }
        guard collected.hasOtherID, !isIdentified else { return nil }
        return SourceIssue(
            declaration.location,
            "\(declaration.name) constrains ID, and a double has no such id; "
                + "declare `var id` with its type in the protocol")
    }

    /// The requirements of a protocol and its inherited protocols.
    private struct Collected {
        var requirements: [Requirement] = []
        var types = AssociatedTypes()
        var isolation: [String] = []
        /// The inherited protocols of the standard library.
        var known: Set<String> = []
        var issues: [SourceIssue] = []
        private var isIdentifiable = false
        private var isIDGiven = false
        private var visited: Set<String> = []

        /// Whether `ID` of `Identifiable` must differ from an object's default.
        var hasOtherID: Bool { isIdentifiable && (isIDGiven || types.hasOtherID) }

        private static let doable: Set = [
            "Actor", "NSObjectProtocol", "Equatable", "Hashable", "CustomStringConvertible",
            "CustomDebugStringConvertible",
        ]

        mutating func collect(_ declaration: ProtocolDeclaration, _ library: ProtocolLibrary) {
            guard visited.insert(declaration.name).inserted else { return }
            requirements += declaration.requirements
            if isolation.isEmpty { isolation = declaration.isolation }
            types.add(declaration)
            for parent in declaration.parents {
                if let inherited = library.protocolDeclaration(named: parent.name) {
                    types.fix(inherited.primaryTypes, parent.arguments)
                    collect(inherited, library)
                } else if Self.doable.contains(parent.name) {
                    known.insert(parent.name)
                } else if parent.name == "Identifiable" {
                    isIdentifiable = true
                    isIDGiven = isIDGiven || !parent.arguments.isEmpty
                } else if !DoublePlan.free.contains(parent.name) {
                    issues.append(
                        SourceIssue(
                            declaration.location,
                            "\(declaration.name) inherits \(parent.name), which no source declares; "
                                + "add its file to --input, or write this double by hand"))
                }
            }
        }
    }
}

extension ProtocolDeclaration {
    /// The names of the primary associated types.
    var primaryTypes: [String] { syntax.primaryAssociatedTypeClause?.primaryAssociatedTypes.map(\.name.text) ?? [] }
}
