internal import CommandSupport
internal import Foundation
internal import JSONSchema

/// The files of a test suite on the disk.
struct SuiteFiles {
    /// A file that is read when its turn comes.
    struct File {
        /// As messages name it.
        let path: String

        /// Reads the file.
        ///
        /// - Throws: ``CommandFailure``: `inputOutput`, or `dataAtFault` if it is not JSON.
        func document() throws -> JSONDocument {
            let data: Data
            do {
                data = try Data(contentsOf: URL(fileURLWithPath: path))
            } catch {
                throw CommandFailure(.inputOutput, "\(path) cannot be read: \(error.localizedDescription)")
            }
            do throws(JSONTextError) {
                return try JSONDocument(data)
            } catch {
                throw CommandFailure(.dataAtFault, "\(path): not JSON: \(error)")
            }
        }
    }

    /// The tests in a file, or in every file `*.json` of a folder and what lies in it, by path.
    ///
    /// - Throws: ``CommandFailure``: `noInput`, `inputOutput`.
    static func tests(in path: String) throws -> [File] {
        guard let isFolder = isFolder(path) else {
            throw CommandFailure(.noInput, "there is no file or folder \(path): check the path")
        }
        guard isFolder else { return [File(path: path)] }
        // Remotes within the folder are no tests.
        return try paths(in: path).filter { !$0.hasPrefix("remotes/") }.map { File(path: join(path, $0)) }
    }

    /// Where the remotes of some tests lie: in their folder, or up to four above, as in the official suite.
    static func remotes(near path: String) -> String? {
        let parent = (path as NSString).deletingLastPathComponent
        let folder = isFolder(path) == true ? path : parent.isEmpty ? "." : parent
        return (0...4).map { join(folder, String(repeating: "../", count: $0) + "remotes") }
            .first { isFolder($0) == true }
    }

    /// The schemas of a folder with the URIs that tests know them by.
    ///
    /// - Parameter uri: What the folder is served at.
    /// - Throws: ``CommandFailure``: `noInput`, `inputOutput`, `dataAtFault`.
    static func remotes(in folder: String, at uri: String) throws -> [(uri: String, document: JSONDocument)] {
        guard isFolder(folder) == true else {
            throw CommandFailure(.noInput, "there is no folder \(folder): check the path")
        }
        let base = uri.hasSuffix("/") ? uri : uri + "/"
        return try paths(in: folder).filter(isOurs).map { path in
            ("\(base)\(path)", try File(path: join(folder, path)).document())
        }
    }

    /// Whether a schema may be one of draft 2020-12: the official suite keeps those of other drafts in folders.
    private static func isOurs(_ path: String) -> Bool {
        let first = path.split(separator: "/").first ?? ""
        return !(first.hasPrefix("draft") || first == "v1") || first == "draft2020-12"
    }

    private static func paths(in folder: String) throws -> [String] {
        do {
            return try FileManager.default.subpathsOfDirectory(atPath: folder)
                .filter { $0.hasSuffix(".json") && isFolder(join(folder, $0)) == false }
                .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        } catch {
            throw CommandFailure(.inputOutput, "\(folder) cannot be read: \(error.localizedDescription)")
        }
    }

    private static func join(_ folder: String, _ path: String) -> String {
        folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
    }

    private static func isFolder(_ path: String) -> Bool? {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) ? isFolder.boolValue : nil
    }
}
