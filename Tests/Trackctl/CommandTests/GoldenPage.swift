import Foundation
import Testing

/// A page in the folder Golden.
enum GoldenPage {
    /// Compares a page with a file, all of it. GOLDEN=record rewrites the file; review the difference before it is
    /// committed.
    static func expect(_ page: [UInt8], is name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Golden/\(name)")
        if ProcessInfo.processInfo.environment["GOLDEN"] == "record" { try Data(page).write(to: file) }
        #expect(try page == [UInt8](Data(contentsOf: file)), "\(name) differs", sourceLocation: sourceLocation)
    }
}
