internal import Foundation

/// The Swift files of a target, read one at a time.
struct SwiftFiles {
    /// A folder or a single file.
    let folder: String

    /// Calls `body` with each file that contains a word, sorted by path. A missing folder has no files.
    ///
    /// - Throws: ``ScaffoldError``, `cannotRead`; any error of `body`.
    func forEach(
        holding word: String, _ body: (_ path: String, SwiftCode) throws(ScaffoldError) -> Void
    ) throws(ScaffoldError) {
        for path in paths {
            guard let source = FileManager.default.contents(atPath: path) else {
                throw ScaffoldError(.cannotRead, "cannot read \(path): check its permissions")
            }
            if source.firstRange(of: Data(word.utf8)) != nil { try body(path, SwiftCode(Array(source))) }
        }
    }

    private var paths: [String] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) else { return [] }
        guard isFolder.boolValue else { return [folder] }
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.filter(Self.isSource).sorted().map { "\(folder)/\($0)" }
    }

    /// Returns whether a path is a Swift file without hidden components.
    private static func isSource(_ path: String) -> Bool {
        path.hasSuffix(".swift") && !path.split(separator: "/").contains { $0.hasPrefix(".") }
    }

    /// Returns the declaration of a type as `file:line`; nil if it is not declared.
    ///
    /// - Throws: ``ScaffoldError``, `cannotRead`.
    func location(ofType name: String) throws(ScaffoldError) -> String? {
        var location: String?
        try forEach(holding: name) { (path, code) throws(ScaffoldError) in
            guard location == nil,
                let type = code.types().first(where: { $0.name == name && $0.keyword != "extension" })
            else { return }
            location = "\(path):\(code.line(of: type.start))"
        }
        return location
    }
}
