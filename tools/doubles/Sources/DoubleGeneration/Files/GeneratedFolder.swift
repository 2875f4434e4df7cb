internal import Foundation

/// Where generated files lie. Files of other origin beside them are left alone.
struct GeneratedFolder {
    let path: String

    /// Writes the files that differ, and removes generated ones that no source asks for any more.
    ///
    /// - Returns: The names of the files that were written, and `<name>: removed` for the others.
    /// - Throws: ``DoublesError`` with code `.inputOutput`; before anything is written if a file of other origin is in
    ///   the way.
    func write(_ files: [GeneratedFile]) throws(DoublesError) -> [String] {
        let changed = try changed(files)
        let superfluous = try superfluous(files)
        var written: [String] = []
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // First: where case does not matter, `feedDoubles.swift` is where `FeedDoubles.swift` will be.
            for name in superfluous { try FileManager.default.removeItem(at: folder.appendingPathComponent(name)) }
            for result in changed.parallelMap({ file in Result { try write(file) } }) {
                written.append(try result.get())
            }
        } catch { throw DoublesError(.inputOutput, "\(path) cannot be written: \(error.localizedDescription)") }
        return (written + superfluous.map { "\($0): removed" }).sorted()
    }

    /// Compares, and writes nothing.
    ///
    /// - Throws: ``DoublesError`` with code `.stale` and each file that is missing, differs or is no longer asked for;
    ///   with code `.inputOutput` if a file of other origin is in the way.
    func check(_ files: [GeneratedFile]) throws(DoublesError) {
        var issues = try changed(files).map { file in
            "\(path)/\(file.name): \(isThere(file) ? "not what the protocols say" : "missing"): generate it again"
        }
        for name in try superfluous(files) { issues.append("\(path)/\(name): its protocols are gone: generate again") }
        guard issues.isEmpty else { throw DoublesError(.stale, issues.joined(separator: "\n")) }
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

    private func isThere(_ file: GeneratedFile) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent(file.name).path)
    }

    /// The files that are missing or differ.
    private func changed(_ files: [GeneratedFile]) throws(DoublesError) -> [GeneratedFile] {
        let looks = files.parallelMap { (file: $0, look: look(at: $0)) }
        let inTheWay = looks.compactMap { $0.look.issue }
        guard inTheWay.isEmpty else { throw DoublesError(.inputOutput, inTheWay.joined(separator: "\n")) }
        return looks.filter { $0.look != .same }.map(\.file)
    }

    /// What lies where a file is to be.
    private enum Look: Equatable {
        case same, different
        /// What was not made by the generator, or cannot be read: somebody may need it.
        case inTheWay(String)

        var issue: String? {
            guard case .inTheWay(let issue) = self else { return nil }
            return issue
        }
    }

    private func look(at file: GeneratedFile) -> Look {
        guard isThere(file) else { return .different }
        do {
            let there = try Data(contentsOf: folder.appendingPathComponent(file.name))
            if there == Data(file.text.utf8) { return .same }
            if there.starts(with: GeneratedFile.mark.utf8) { return .different }
            return .inTheWay(
                "\(path)/\(file.name): not made by tracking-doubles: move it, or choose another --output")
        } catch {
            return .inTheWay("\(path)/\(file.name) cannot be read: \(error.localizedDescription)")
        }
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
