internal import Foundation

/// Files of the project that targets and tests need.
package enum FuzzFiles {
    /// The root of the checkout.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()  // FuzzTargets
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The folder of the project's schemas.
    static var schemas: URL { root.appendingPathComponent("Schemas") }

    /// What was once found, and stays as a test: the stored cases of a target.
    package static func cases(of target: String) throws -> [(name: String, bytes: [UInt8])] {
        try files(in: root.appendingPathComponent("tools/fuzz/cases/\(target)"))
            .map { ($0.lastPathComponent, try bytes(of: $0)) }
    }

    /// The files below a folder, in the order of their paths; none if it is not there.
    static func files(in folder: URL, ending suffix: String = "") -> [URL] {
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return paths.filter { !$0.hasPrefix(".") && $0.hasSuffix(suffix) }.sorted()
            .map { folder.appendingPathComponent($0) }
            .filter { (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true }
    }

    static func bytes(of file: URL) throws -> [UInt8] { Array(try Data(contentsOf: file)) }
}
