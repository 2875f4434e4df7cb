import EventLog
import Foundation
import Testing

@Suite("FolderNames")
struct FolderNamesTests {
    @Test("a missing folder has no names, any other has its own")
    func names() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        #expect(FolderNames.readable(in: folder.path) == [])
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data().write(to: folder.appendingPathComponent("a"))
        #expect(FolderNames.readable(in: folder.path) == ["a"])
    }
}
