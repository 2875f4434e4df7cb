internal import JSONLines

/// What a stream says of a test or a suite while it runs.
struct TestEvents: Hashable {
    private var hasEnded = false
    private var hasFailed = false
    private var hasKnownIssue = false
    private var isSkipped = false
    private var reason: String?

    /// Takes an event of this test; most kinds say nothing of how it ends.
    mutating func add(_ payload: JSONValue) {
        switch payload["kind"]?.stringValue {
        case "testEnded": hasEnded = true
        case "testSkipped", "testCancelled":
            isSkipped = true
            if case .array(let comments)? = payload["_comments"] { reason = comments.first?.stringValue ?? reason }
        case "issueRecorded":
            // Version 0 leaves warnings out, and so it need not say which issue is a failure.
            if payload["issue"]?["isKnown"] == true {
                hasKnownIssue = true
            } else if payload["issue"]?["isFailure"] != false {
                hasFailed = true
            }
        default: break
        }
    }

    var outcome: TestOutcome {
        if hasFailed { return .failed }
        if isSkipped { return .skipped(reason: reason) }
        if hasKnownIssue { return .knownIssue }
        return hasEnded ? .passed : .notRun
    }
}
