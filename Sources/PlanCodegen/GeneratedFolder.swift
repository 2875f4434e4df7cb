internal import Foundation

/// Where generated files lie. Files of other origin beside them are left alone.
package struct GeneratedFolder {
    private let path: String
    /// Whether generated files that are not asked for are superfluous here.
    private let isWhole: Bool

    package init(path: String, isWhole: Bool = true) {
        self.path = path
        self.isWhole = isWhole
    }

    /// Writes the files that differ, and removes generated ones that no schema asks for any more.
    ///
    /// - Returns: The names of the files that were written or removed.
    /// - Throws: ``CodegenError`` with code `.inputOutput`.
    @discardableResult
    package func write(_ files: [GeneratedFile]) throws(CodegenError) -> [String] {
        let changed = changed(files)
        let superfluous = try superfluous(files)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for file in changed {
                try Data(file.text.utf8).write(to: folder.appendingPathComponent(file.name), options: .atomic)
            }
            for name in superfluous { try FileManager.default.removeItem(at: folder.appendingPathComponent(name)) }
        } catch { throw CodegenError(.inputOutput, "\(path) cannot be written: \(error.localizedDescription)") }
        return (changed.map(\.name) + superfluous).sorted()
    }

    /// Compares, and writes nothing.
    ///
    /// - Throws: ``CodegenError`` with code `.stale` and each file that is missing, differs or is no longer asked for.
    package func check(_ files: [GeneratedFile]) throws(CodegenError) {
        var faults: [String] = []
        for file in changed(files) {
            let isThere = FileManager.default.fileExists(atPath: folder.appendingPathComponent(file.name).path)
            let fault = isThere ? "not what the schemas say" : "missing"
            faults.append("\(path)/\(file.name): \(fault): generate it again")
        }
        for name in try superfluous(files) { faults.append("\(path)/\(name): its schema is gone: generate again") }
        guard faults.isEmpty else { throw CodegenError(.stale, faults.joined(separator: "\n")) }
    }

    private var folder: URL { URL(fileURLWithPath: path, isDirectory: true) }

    private func changed(_ files: [GeneratedFile]) -> [GeneratedFile] {
        // A file that cannot be read is written anew, or said to differ: nothing is lost.
        files.filter { (try? Data(contentsOf: folder.appendingPathComponent($0.name))) != Data($0.text.utf8) }
    }

    private func superfluous(_ files: [GeneratedFile]) throws(CodegenError) -> [String] {
        guard isWhole, FileManager.default.fileExists(atPath: path) else { return [] }
        let kept = Set(files.map(\.name))
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path).sorted().filter { name in
                guard name.hasSuffix(".swift"), !kept.contains(name) else { return false }
                let text = String(decoding: try Data(contentsOf: folder.appendingPathComponent(name)), as: UTF8.self)
                return text.hasPrefix(EventWriter.mark)
            }
        } catch { throw CodegenError(.inputOutput, "\(path) cannot be read: \(error.localizedDescription)") }
    }
}
