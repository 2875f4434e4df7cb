internal import Foundation

/// A folder for generated files. Other files in it are left unchanged.
package struct GeneratedFolder {
    private let path: String
    /// Whether to remove generated files that are no longer needed.
    private let isWhole: Bool
    /// The generated files that other jobs need.
    private let kept: Set<String>

    package init(path: String, isWhole: Bool = true, keeping kept: Set<String> = []) {
        self.path = path
        self.isWhole = isWhole
        self.kept = kept
    }

    /// Writes the files that differ, and removes generated files that no schema needs any more.
    ///
    /// - Returns: The names of the written files, and `<name>: removed` for the removed ones.
    /// - Throws: ``CodegenError`` with code `.inputOutput`.
    @discardableResult
    package func write(_ files: [GeneratedFile]) throws(CodegenError) -> [String] {
        let superfluous = try superfluous(files)
        var written: [String] = []
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // Remove files first: on case-insensitive volumes `Signin.swift` and `SignIn.swift` are the same file.
            for name in superfluous { try FileManager.default.removeItem(at: folder.appendingPathComponent(name)) }
            for file in changed(files) {
                try Data(file.text.utf8).write(to: folder.appendingPathComponent(file.name), options: .atomic)
                written.append(file.name)
            }
        } catch { throw CodegenError(.inputOutput, "cannot write \(path): \(error.localizedDescription)") }
        return (written + superfluous.map { "\($0): removed" }).sorted()
    }

    /// Compares the files without writing any.
    ///
    /// - Throws: ``CodegenError`` with code `.stale` and each file that is missing, different or no longer needed.
    package func check(_ files: [GeneratedFile]) throws(CodegenError) {
        var issues: [String] = []
        for file in changed(files) {
            let isThere = FileManager.default.fileExists(atPath: folder.appendingPathComponent(file.name).path)
            let issue = isThere ? "does not match the schemas" : "is missing"
            issues.append("\(path)/\(file.name) \(issue): generate it again")
        }
        for name in try superfluous(files) { issues.append("\(path)/\(name) has no schema any more: generate again") }
        guard issues.isEmpty else { throw CodegenError(.stale, issues.joined(separator: "\n")) }
    }

    private var folder: URL { URL(fileURLWithPath: path, isDirectory: true) }

    private func changed(_ files: [GeneratedFile]) -> [GeneratedFile] {
        // A file that cannot be read counts as different, so it is written again or reported.
        files.filter { (try? Data(contentsOf: folder.appendingPathComponent($0.name))) != Data($0.text.utf8) }
    }

    private func superfluous(_ files: [GeneratedFile]) throws(CodegenError) -> [String] {
        guard isWhole, FileManager.default.fileExists(atPath: path) else { return [] }
        let kept = kept.union(files.map(\.name))
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path).sorted().filter { name in
                try name.hasSuffix(".swift") && !kept.contains(name) && isGenerated(name)
            }
        } catch { throw CodegenError(.inputOutput, "cannot read \(path): \(error.localizedDescription)") }
    }

    /// Returns whether a file has the mark in its first or second line.
    private func isGenerated(_ name: String) throws -> Bool {
        let file = folder.appendingPathComponent(name)
        let type = try FileManager.default.attributesOfItem(atPath: file.path)[.type] as? FileAttributeType
        guard type == .typeRegular else { return false }
        return try Data(contentsOf: file).split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
            .prefix(2).contains { $0.starts(with: EventWriter.mark.utf8) }
    }
}

package struct GeneratedFile: Hashable, Sendable {
    /// The file name, without a folder.
    package let name: String
    package let text: String

    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}
