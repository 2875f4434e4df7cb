import CommandRunner
import JSONLines
import Testing

/// A finding from the output of `trackctl doctor --json`.
struct DoctorFinding: Equatable, CustomStringConvertible {
    let check: String
    let severity: String
    /// The last part of its path.
    let location: String
    let message: String
    let advice: String?
    let numbers: [String: Int64]

    init?(_ json: JSONValue) {
        guard let check = json["check"]?.stringValue, let severity = json["severity"]?.stringValue,
            let location = json["place"]?.stringValue, let message = json["message"]?.stringValue,
            case .object(let numbers)? = json["numbers"]
        else { return nil }
        (self.check, self.severity, self.message) = (check, severity, message)
        self.location = location.split(separator: "/").last.map(String.init) ?? location
        advice = json["advice"]?.stringValue
        self.numbers = numbers.compactMapValues(\.integerValue)
    }

    var description: String { "\(severity) \(check) \(location): \(message)" }

    /// The findings on a line of output.
    static func all(_ line: String?) throws -> [DoctorFinding] {
        guard case .array(let findings)? = try JSONParser.parse((line ?? "").utf8)["findings"] else { return [] }
        return findings.compactMap(DoctorFinding.init)
    }
}

extension [DoctorFinding] {
    /// The findings of a check that are worse than ok.
    func bad(_ check: String) -> [DoctorFinding] { filter { $0.check == check && $0.severity != "ok" } }
}

/// Runs `trackctl doctor` on a log, and returns the findings that are worse than ok. Checks that the exit code follows from
/// them, and that each has advice.
func doctorFindings(_ path: String, _ arguments: String...) async throws -> [DoctorFinding] {
    let result = try await trackctl(["doctor", path, "--json"] + arguments)
    let findings = try DoctorFinding.all(result.lines.first)
    #expect(!findings.isEmpty, "\(result.stderr)")
    let isBad = findings.contains { ["warning", "error"].contains($0.severity) }
    #expect(result.exitCode == (isBad ? 1 : 0))
    #expect(findings.allSatisfy { ["ok", "note"].contains($0.severity) || $0.advice != nil })
    return findings.filter { $0.severity != "ok" }
}
