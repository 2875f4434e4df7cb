internal import ArgumentParser
internal import TrackingPlan

/// What `--fail-on` tells apart.
enum FindingClass: String, CaseIterable {
    /// A line is not what its schema asks for.
    case invalid
    /// The plan has no such event, or not in that version.
    case unknown
    /// No line has an event of the plan.
    case unused

    /// The class of a finding.
    init(_ kind: LineFinding.Kind) {
        switch kind {
        case .unknownEvent, .unknownVersion: self = .unknown
        default: self = .invalid
        }
    }
}

/// Which classes of findings end `trackctl validate` with 1.
struct FailOn: ExpressibleByArgument {
    var classes: Set<FindingClass>

    init(_ classes: Set<FindingClass> = [.invalid, .unknown]) { self.classes = classes }

    /// Reads `none`, or classes with commas between them; nil for anything else.
    init?(argument: String) {
        let names = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let found = names.compactMap(FindingClass.init)
        guard argument == "none" || found.count == names.count else { return nil }
        classes = Set(found)
    }

    var defaultValueDescription: String {
        classes.isEmpty ? "none" : FindingClass.allCases.filter(classes.contains).map(\.rawValue).joined(separator: ",")
    }

    /// A kind of findings that lines have and that is a failure; nil if there is none.
    func firstFailure(in tally: EventTally) -> LineFinding.Kind? {
        LineFinding.Kind.allCases.first { tally.linesByKind[$0] != nil && classes.contains(FindingClass($0)) }
    }

    /// `error` or `warning`, as GitHub and SARIF call them.
    func level(_ kind: LineFinding.Kind) -> String { classes.contains(FindingClass(kind)) ? "error" : "warning" }
}
