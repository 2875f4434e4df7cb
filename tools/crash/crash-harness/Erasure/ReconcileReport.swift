import Foundation
import JSONLines

/// The output of `trackctl reconcile --json` about a log with one install.
struct ReconcileReport {
    /// Why the report is not sound, apart from events that are erased upstream; empty if there is no other reason.
    private(set) var errors: [String] = []
    /// The numbers that a collector has erased, and a later stage still has.
    private(set) var unerased = IndexSet()
    /// Whether the report has the command that erases them.
    private(set) var hasCommand = false

    /// - Parameters:
    ///   - end: How the command ended.
    ///   - output: Its output, with one line.
    init(_ end: ChildEnd?, _ output: [UInt8]) {
        guard let report = JSONValue(validating: output.split(separator: 0x0A).first.map { Array($0) } ?? []),
            [.exited(0), .exited(1)].contains(end), case .array(let installs)? = report["installs"],
            case .array(let stages)? = report["stages"], installs.count == 1, stages.count == 2
        else {
            errors = ["\(end.map { "\($0)" } ?? "it did not end"): \(String(decoding: output, as: UTF8.self))"]
            return
        }
        hasCommand = report["erase_commands"] != nil
        for member in ["unexplained", "beyond", "repeated"] { require(installs[0][member], member) }
        require(installs[0]["hashes"]?["different"], "different hashes")
        for stage in stages {
            for member in ["missing", "doubled", "different", "beyond"] {
                require(stage[member], "\(stage["stage"]?.stringValue ?? ""): \(member)")
            }
            unerased.formUnion(Self.numbers(stage["unerased"]))
        }
        if errors.isEmpty, (end == .exited(0)) != unerased.isEmpty { errors.append("\(end.map { "\($0)" } ?? "")") }
    }

    private mutating func require(_ ranges: JSONValue?, _ name: String) {
        let numbers = Self.numbers(ranges)
        if ranges == nil || !numbers.isEmpty { errors.append("\(name): \(numbers.rangeView.map { "\($0)" })") }
    }

    private static func numbers(_ ranges: JSONValue?) -> IndexSet {
        guard case .array(let ranges)? = ranges else { return [] }
        var numbers = IndexSet()
        for case .array(let bounds) in ranges {
            guard let first = bounds.first?.integerValue, let last = bounds.last?.integerValue, first <= last else {
                continue
            }
            numbers.insert(integersIn: Int(first)...Int(last))
        }
        return numbers
    }
}
