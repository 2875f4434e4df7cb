import Foundation

@testable import DoubleGeneration

/// A folder of sources that is removed with its owner.
final class Sources {
    let folder: String

    /// - Parameter files: The contents by name.
    init(_ files: [String: String]) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("doubles-\(UUID().uuidString)").path
        for (name, text) in files { try write(name, text) }
    }

    deinit {
        // The system removes leftovers in its temporary folder.
        try? FileManager.default.removeItem(atPath: folder)
    }

    func write(_ name: String, _ text: String) throws {
        let file = URL(fileURLWithPath: "\(folder)/\(name)")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    func text(_ name: String) throws -> String { try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8) }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(folder)/\(name)") }

    /// A job with the sources in `in` or all sources, and the output in `out`.
    func job(_ input: String? = nil) -> DoublesJob {
        DoublesJob(inputs: [input.map { "\(folder)/\($0)" } ?? folder], output: "\(folder)/out")
    }

    /// The generated code of all files, concatenated.
    func code() throws -> String { try job().generatedFiles().map(\.text).joined() }

    /// The error for unsupported sources, with file names instead of paths.
    func refusal() -> String {
        do throws(DoublesError) {
            _ = try job().generatedFiles()
            return "made"
        } catch { return error.message.replacing(folder + "/", with: "") }
    }
}
