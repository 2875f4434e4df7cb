internal import Foundation

/// Where generated files lie. Files of other origin beside them are left alone.
struct GeneratedFolder {
    let path: String

    /// Writes the files that differ, and removes generated ones that no source asks for any more.
    ///
    /// - Returns: The names of the files that were written, and `<name>: removed` for the others.
    /// - Throws: ``DoublesError`` with code `.inputOutput`.
    func write(_ files: [GeneratedFile]) throws(DoublesError) -> [String] {
        let superfluous = try superfluous(files)
        var written: [String] = []
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // First: where case does not matter, `feedDoubles.swift` is where `FeedDoubles.swift` will be.
            for name in superfluous { try FileManager.default.removeItem(at: folder.appendingPathComponent(name)) }
            for result in changed(files).parallelMap({ file in Result { try write(file) } }) {
                written.append(try result.get())
            }
        } catch { throw DoublesError(.inputOutput, "\(path) cannot be written: \(error.localizedDescription)") }
        return (written + superfluous.map { "\($0): removed" }).sorted()
    }

    /// Compares, and writes nothing.
    ///
    /// - Throws: ``DoublesError`` with code `.stale` and each file that is missing, differs or is no longer asked for.
    func check(_ files: [GeneratedFile]) throws(DoublesError) {
        var faults = changed(files).map { file in
            let isThere = FileManager.default.fileExists(atPath: folder.appendingPathComponent(file.name).path)
            return "\(path)/\(file.name): \(isThere ? "not what the protocols say" : "missing"): generate it again"
        }
        for name in try superfluous(files) { faults.append("\(path)/\(name): its protocols are gone: generate again") }
        guard faults.isEmpty else { throw DoublesError(.stale, faults.joined(separator: "\n")) }
    }

    /// Puts a file in its place as a whole. It can be made again: nothing waits until it would survive a power failure.
    private func write(_ file: GeneratedFile) throws -> String {
        let new = folder.appendingPathComponent(".\(file.name).new")
        try Data(file.text.utf8).write(to: new)
        guard rename(new.path, folder.appendingPathComponent(file.name).path) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        return file.name
    }

    private var folder: URL { URL(fileURLWithPath: path, isDirectory: true) }

    private func changed(_ files: [GeneratedFile]) -> [GeneratedFile] {
        // A file that cannot be read is written anew, or said to differ: nothing is lost.
        files.parallelMap { file in
            (try? Data(contentsOf: folder.appendingPathComponent(file.name))) == Data(file.text.utf8) ? nil : file
        }.compactMap(\.self)
    }

    private func superfluous(_ files: [GeneratedFile]) throws(DoublesError) -> [String] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        let wanted = Set(files.map(\.name))
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path).sorted().filter { name in
                guard name.hasSuffix(".swift"), !wanted.contains(name) else { return false }
                return try Data(contentsOf: folder.appendingPathComponent(name)).starts(with: GeneratedFile.mark.utf8)
            }
        } catch { throw DoublesError(.inputOutput, "\(path) cannot be read: \(error.localizedDescription)") }
    }
}
