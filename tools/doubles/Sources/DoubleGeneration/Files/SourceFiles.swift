internal import Foundation

/// The Swift files that are passed to the generator.
struct SourceFiles {
    private let inputs: [String]

    init(_ inputs: [String]) { self.inputs = inputs }

    /// Reads all files on all cores, sorted by path. Skips hidden files and folders.
    ///
    /// - Throws: ``DoublesError`` with code `.noInput` or `.inputOutput`.
    func read() throws(DoublesError) -> [SourceFile] {
        var found: [String: String] = [:]
        for input in inputs {
            for (path, name) in try Self.find(input) { found[path] = name }
        }
        let files = found.sorted { $0.key < $1.key }.parallelMap { path, name in
            Result {
                SourceFile(path: path, name: name, bytes: [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
            }
        }
        do { return try files.map { try $0.get() } } catch {
            throw DoublesError(.inputOutput, "cannot read a source file: \(error.localizedDescription)")
        }
    }

    private static func find(_ input: String) throws(DoublesError) -> [(path: String, name: String)] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: input, isDirectory: &isFolder) else {
            throw DoublesError(.noInput, "\(input): no such file or folder")
        }
        guard isFolder.boolValue else { return [(input, String(input.split(separator: "/").last ?? ""))] }
        guard let names = FileManager.default.enumerator(atPath: input) else {
            throw DoublesError(.inputOutput, "cannot read \(input); check its permissions")
        }
        var files: [(path: String, name: String)] = []
        let folder = input.hasSuffix("/") ? String(input.dropLast()) : input
        for case let name as String in names
        where name.hasSuffix(".swift") && !name.hasPrefix(".") && !name.contains("/.") {
            files.append(("\(folder)/\(name)", name))
        }
        return files
    }
}
