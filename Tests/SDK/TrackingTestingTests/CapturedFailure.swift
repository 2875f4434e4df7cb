import Foundation
import Testing

/// The failures that a body reports: their texts and source lines.
func failures(of body: () -> Void) -> [CapturedFailure] {
    nonisolated(unsafe) var failures: [CapturedFailure] = []
    withKnownIssue(isIntermittent: true) {
        body()
    } matching: { issue in
        failures.append(CapturedFailure(issue))
        return true
    }
    return failures
}

struct CapturedFailure: Equatable {
    let text: String
    let line: Int
    let file: String

    init(_ issue: Issue) {
        text = issue.comments.map(\.rawValue).joined(separator: "\n")
        line = issue.sourceLocation?.line ?? 0
        file = issue.sourceLocation?.fileName ?? ""
    }
}

/// Compares a failure with its golden text. Set `TRACKING_RECORD_SNAPSHOTS=1` to write it.
func expectGolden(
    _ failures: [CapturedFailure], _ name: String, lines: [Int], sourceLocation: SourceLocation = #_sourceLocation
) throws {
    #expect(failures.map(\.line) == lines, sourceLocation: sourceLocation)
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Golden/\(name).txt")
    let text = failures.map { $0.text + "\n" }.joined(separator: "\n")
    if ProcessInfo.processInfo.environment["TRACKING_RECORD_SNAPSHOTS"] == "1" { try Data(text.utf8).write(to: url) }
    #expect(text == (try String(contentsOf: url, encoding: .utf8)), sourceLocation: sourceLocation)
}
