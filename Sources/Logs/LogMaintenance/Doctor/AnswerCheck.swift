internal import EventLog
internal import EventModel
internal import TextRendering

/// Reports the answers about consent in a log, newest first.
enum AnswerCheck {
    private static let limit = 20

    static func findings(_ answers: [StoredAnswer], _ database: String) -> [Finding] {
        guard !answers.isEmpty else { return [] }
        let granted = answers.count(where: \.isGranted)
        let more = answers.count > limit ? "; the newest \(limit) follow" : ""
        let total = Finding(
            .answers, .note, at: database,
            message: "\(answers.count.counted("answer")) about consent, \(granted.grouped) of them granted\(more)",
            numbers: ["count": Int64(answers.count), "granted": Int64(granted)])
        return [total]
            + answers.suffix(limit).reversed().map { answer in
                Finding(
                    .answers, .note, at: database,
                    message: "\(answer.time.rfc3339) \(answer.key) \(answer.isGranted ? "granted" : "denied") "
                        + (answer.purposes.isEmpty ? "for all, " : "for \(answer.purposes.joined(separator: ", ")), ")
                        + "policy \(answer.policy)" + (answer.app.map { ", app \($0)" } ?? ""),
                    numbers: [
                        "number": answer.number, "time_us": answer.time.microseconds,
                        "granted": answer.isGranted ? 1 : 0,
                    ])
            }
    }
}
