/// Commands that a workflow on GitHub reads from what its steps print.
enum WorkflowCommand {
    /// An annotation: `::error file=a.jsonl,line=1,col=7::message`.
    ///
    /// Rules of escaping: <https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts>
    static func line(_ level: String, _ properties: [(name: String, value: String)], message: String) -> String {
        let list = properties.map { "\($0.name)=\(property($0.value))" }.joined(separator: ",")
        return "::\(level) \(list)::\(data(message))"
    }

    private static func data(_ text: String) -> String {
        replace(["%": "%25", "\r": "%0D", "\n": "%0A"], in: text)
    }

    private static func property(_ text: String) -> String { replace([":": "%3A", ",": "%2C"], in: data(text)) }

    private static func replace(_ table: [Unicode.Scalar: String], in text: String) -> String {
        text.unicodeScalars.map { table[$0] ?? String($0) }.joined()
    }
}
