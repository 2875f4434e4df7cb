import Foundation

/// jsonschema-rs with orjson, in a process that stays and measures its own rounds.
final class PythonValidation {
    private let process = Process()
    private let commands = Pipe()
    private let answers = Pipe()
    private var rest: [UInt8] = []

    init(_ environment: PythonEnvironment, schema: String, lines: String) throws {
        process.executableURL = URL(fileURLWithPath: environment.python)
        process.arguments = [PythonEnvironment.file("validation_baseline.py"), schema, lines]
        process.standardInput = commands
        process.standardOutput = answers
        try process.run()
    }

    deinit {
        try? commands.fileHandleForWriting.close()  // its end either way: the process ends with its input
        process.waitUntilExit()
    }

    /// The numbers of the lines that it calls invalid.
    func invalidLines() throws -> [Int] {
        try ask("invalid").split(separator: ",").compactMap { Int($0) }
    }

    /// One round over all lines: how long it took, and how many were invalid.
    func round() throws -> (nanoseconds: Double, invalid: Int) {
        let answer = try ask("round").split(separator: " ").compactMap { Int($0) }
        guard answer.count == 2 else { throw BenchmarkFailure("the baseline does not respond") }
        return (Double(answer[0]), answer[1])
    }

    private func ask(_ command: String) throws -> Substring {
        try commands.fileHandleForWriting.write(contentsOf: Data("\(command)\n".utf8))
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                defer { rest.removeSubrange(...end) }
                return String(decoding: rest[..<end], as: UTF8.self)[...]
            }
            let chunk = answers.fileHandleForReading.availableData
            guard !chunk.isEmpty else { throw BenchmarkFailure("the Python baseline exited") }
            rest += chunk
        }
    }
}
