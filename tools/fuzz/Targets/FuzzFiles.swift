internal import Foundation

/// Files of the project that targets and tests need.
package enum FuzzFiles {
    /// The root of the checkout.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()  // FuzzTargets
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The folder of the project's schemas.
    static var schemas: URL { root.appendingPathComponent("Schemas") }

    /// The stored cases of a target: inputs that once failed.
    package static func cases(of target: String) throws -> [(name: String, bytes: [UInt8])] {
        try files(in: root.appendingPathComponent("tools/fuzz/cases/\(target)"))
            .map { ($0.lastPathComponent, try bytes(of: $0)) }
    }

    /// The files in a folder at any depth, sorted by path; empty if the folder does not exist.
    static func files(in folder: URL, ending suffix: String = "") -> [URL] {
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return paths.filter { !$0.hasPrefix(".") && $0.hasSuffix(suffix) }.sorted()
            .map { folder.appendingPathComponent($0) }
            .filter { (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true }
    }

    static func bytes(of file: URL) throws -> [UInt8] { Array(try Data(contentsOf: file)) }
}
