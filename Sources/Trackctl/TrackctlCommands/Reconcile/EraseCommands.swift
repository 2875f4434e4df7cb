internal import LogMaintenance

/// The command lines of `loader erase` that remove what collectors have erased from later stages.
struct EraseCommands {
    let lines: [String]

    /// - Parameter stages: The comparisons with all later stages. Those where nothing is left to erase are in the command, too: a
    ///   loader whose state moves on must write to all its stores.
    init(_ stages: [StageReconciliation]) {
        let left = stages.filter { !$0.unerased.isEmpty }
        guard left.contains(where: { $0.stage == .stream || Self.isClickHouse($0) }) else {
            lines = Self.names(left).map { "loader erase --user-file FILE --folder \(Self.quoted($0))" }
            return
        }
        let stream = stages.first { $0.stage == .stream }?.name ?? "URL"
        var line = "loader erase --user-file FILE --stream \(Self.quoted(stream)) --state FOLDER"
        if let name = stages.first(where: Self.isClickHouse)?.name, let slash = name.lastIndex(of: "/") {
            line += " --clickhouse \(Self.quoted(String(name[..<slash])))"
            line += " --database \(Self.quoted(String(name[name.index(after: slash)...])))"
        }
        let folders = Self.names(stages.filter { $0.stage == .warehouse && !Self.isClickHouse($0) })
        if let folder = folders.first { line += " --folder \(Self.quoted(folder))" }
        lines =
            [line]
            + folders.dropFirst().map { "loader erase --user-file FILE --folder \(Self.quoted($0))" }
    }

    private static func isClickHouse(_ stage: StageReconciliation) -> Bool {
        stage.stage == .warehouse && stage.name.contains("://")
    }

    /// The names of stages, each once, in order.
    private static func names(_ stages: [StageReconciliation]) -> [String] {
        stages.map(\.name).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// An argument for a shell.
    private static func quoted(_ text: String) -> String {
        let isPlain = text.allSatisfy { ($0.isASCII && ($0.isLetter || $0.isNumber)) || "/.:,_-@[]".contains($0) }
        return isPlain ? text : "'\(text.replacing("'", with: "'\\''"))'"
    }
}
