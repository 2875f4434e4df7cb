import Foundation
import Primitives
import Testing

@testable import EventLog

@Suite("The journal folder")
struct JournalFolderTests {
    @Test("is not removed by a process whose control file was replaced meanwhile")
    func lateRemoval() throws {
        let parent = FileManager.default.temporaryDirectory.appendingPathComponent("journals-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: false)
        // On failure the folder stays in the temporary folder.
        defer { try? FileManager.default.removeItem(at: parent) }
        let path = parent.appendingPathComponent("events.sqlite.journal").path
        let (late, _) = try JournalControl.openLocked(folder: path, timeout: .zero)
        late.unlock()
        let (other, _) = try JournalControl.openLocked(folder: path, timeout: .zero)
        JournalFolder(path: path, control: other).removeIfUnused()
        other.unlock()
        #expect(!FileManager.default.fileExists(atPath: path))
        let (third, _) = try JournalControl.openLocked(folder: path, timeout: .zero)
        // It is another file, so its lock is free.
        try late.lock(timeout: .zero)
        #expect(!late.isNamed && third.isNamed)
        JournalFolder(path: path, control: late).removeIfUnused()
        late.unlock()
        #expect(third.isNamed)
        JournalFolder(path: path, control: third).removeIfUnused()
        third.unlock()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("releasing a mapped file closes its descriptor")
    func descriptors() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("mapped-\(UUID().uuidString)").path
        defer { unlink(path) }
        let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
        try #require(descriptor >= 0 && ftruncate(descriptor, 4096) == 0)
        // The lock belongs to the open file, and ends with its last descriptor.
        try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        let other = open(path, O_RDWR)
        defer { close(other) }
        do {
            let file = try MappedFile(path: path, descriptor: descriptor, size: 4096, isWritable: true)
            #expect(file.isBlank && flock(other, LOCK_EX | LOCK_NB) != 0)
        }
        #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
    }

    @Test("a failed mapping closes the descriptor")
    func failedMapping() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("mapped-\(UUID().uuidString)").path
        defer { unlink(path) }
        let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
        try #require(descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        let other = open(path, O_RDWR)
        defer { close(other) }
        // An empty mapping is an error: https://man7.org/linux/man-pages/man2/mmap.2.html
        #expect(throws: SystemError.self) {
            try MappedFile(path: path, descriptor: descriptor, size: 0, isWritable: true)
        }
        #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
    }
}

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
