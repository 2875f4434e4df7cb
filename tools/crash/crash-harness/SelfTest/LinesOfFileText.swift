import Foundation

/// The lines of a small file, which a planted error changes.
struct LinesOfFileText {
    private var lines: [String] = []

    init(_ path: String) throws {
        let reader = try LinesOfFile(path)
        while let (line, _) = reader.next() { lines.append(String(decoding: line, as: UTF8.self)) }
    }

    mutating func append(_ line: String) { lines.append(line) }

    mutating func removeLast() -> String { lines.removeLast() }

    /// Writes the changed lines.
    ///
    /// - Parameter isTorn: Whether to drop half of the last line.
    func write(to path: String, isTorn: Bool = false, _ change: (inout [String]) -> Void = { _ in }) throws {
        var changed = lines
        change(&changed)
        var text = changed.map { $0 + "\n" }.joined()
        if isTorn { text.removeLast(40) }
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }
}
