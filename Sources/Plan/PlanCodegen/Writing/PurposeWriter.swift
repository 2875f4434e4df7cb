internal import EventModel
internal import TrackingPlan

/// Writes the purposes of a plan as members of `Purpose`.
struct PurposeWriter {
    let purposes: PlanPurposes
    let access: Access

    /// The name of the file.
    static let fileName = "Purpose+Plan.swift"

    /// Adds the declarations.
    func write(to source: inout SourceText) {
        let prefix = "\(access.prefix)nonisolated static let"
        source.block("extension Purpose") { source in
            for purpose in purposes.own {
                source.documentation(["The purpose `\(purpose)` of the tracking plan"])
                source.line("\(prefix) \(Self.member(purpose)): Purpose = \(SwiftLiteral.string(purpose.name))")
            }
            source.line()
            source.documentation(["The purposes of the plan, for `TrackingConfiguration.purposes`"])
            source.list(
                "\(prefix) planned: [Purpose] = [", elements: purposes.all.map { ".\(Self.member($0))" }, tail: "]")
        }
    }

    /// Names that cannot be members are reported before anything is written.
    private static func member(_ purpose: Purpose) -> String { SwiftName.escaped(purpose.swiftName ?? purpose.name) }
}
