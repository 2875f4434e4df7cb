internal import Foundation

/// Where generated files lie. Files of other origin beside them are left alone.
package struct GeneratedFolder {
    private let path: String
    /// Whether generated files that are not asked for are superfluous here.
    private let isWhole: Bool
    /// The generated files that others ask for.
    private let kept: Set<String>

    package init(path: String, isWhole: Bool = true, keeping kept: Set<String> = []) {
        self.path = path
        self.isWhole = isWhole
        self.kept = kept
    }

    /// Writes the files that differ, and removes generated ones that no schema asks for any more.
    ///
    /// - Returns: The names of the files that were written, and `<name>: removed` for the others.
    /// - Throws: ``CodegenError`` with code `.inputOutput`.
    @discardableResult
    package func write(_ files: [GeneratedFile]) throws(CodegenError) -> [String] {
        let superfluous = try superfluous(files)
        var written: [String] = []
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // First: where case does not matter, `Signin.swift` is where `SignIn.swift` will be.
            for name in superfluous { try FileManager.default.removeItem(at: folder.appendingPathComponent(name)) }
            for file in changed(files) {
                try Data(file.text.utf8).write(to: folder.appendingPathComponent(file.name), options: .atomic)
                written.append(file.name)
            }
        } catch { throw CodegenError(.inputOutput, "\(path) cannot be written: \(error.localizedDescription)") }
        return (written + superfluous.map { "\($0): removed" }).sorted()
    }

    /// Compares, and writes nothing.
    ///
    /// - Throws: ``CodegenError`` with code `.stale` and each file that is missing, differs or is no longer asked for.
    package func check(_ files: [GeneratedFile]) throws(CodegenError) {
        var issues: [String] = []
        for file in changed(files) {
            let isThere = FileManager.default.fileExists(atPath: folder.appendingPathComponent(file.name).path)
            let issue = isThere ? "not what the schemas say" : "missing"
            issues.append("\(path)/\(file.name): \(issue): generate it again")
        }
        for name in try superfluous(files) { issues.append("\(path)/\(name): its schema is gone: generate again") }
        guard issues.isEmpty else { throw CodegenError(.stale, issues.joined(separator: "\n")) }
    }

    private var folder: URL { URL(fileURLWithPath: path, isDirectory: true) }

    private func changed(_ files: [GeneratedFile]) -> [GeneratedFile] {
        // A file that cannot be read is written anew, or said to differ: nothing is lost.
        files.filter { (try? Data(contentsOf: folder.appendingPathComponent($0.name))) != Data($0.text.utf8) }
    }

    private func superfluous(_ files: [GeneratedFile]) throws(CodegenError) -> [String] {
        guard isWhole, FileManager.default.fileExists(atPath: path) else { return [] }
        let kept = kept.union(files.map(\.name))
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path).sorted().filter { name in
                try name.hasSuffix(".swift") && !kept.contains(name) && isGenerated(name)
            }
        } catch { throw CodegenError(.inputOutput, "\(path) cannot be read: \(error.localizedDescription)") }
    }

    /// Whether it is a file with the mark in its first or second line.
    private func isGenerated(_ name: String) throws -> Bool {
        let file = folder.appendingPathComponent(name)
        let type = try FileManager.default.attributesOfItem(atPath: file.path)[.type] as? FileAttributeType
        guard type == .typeRegular else { return false }
        return try Data(contentsOf: file).split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
            .prefix(2).contains { $0.starts(with: EventWriter.mark.utf8) }
    }
}

/// A file that the generator made.
package struct GeneratedFile: Hashable, Sendable {
    /// Its name, without a folder.
    package let name: String
    package let text: String

    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}
