import CommandRunner
import Foundation
import Testing

@testable import LogFiles

@Suite("A file that is written atomically")
struct UnfinishedFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ text: String, to file: UnfinishedFile) throws {
        try Array(text.utf8).withUnsafeBytes { try DescriptorBytes.write($0, to: file.descriptor, name: file.path) }
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test("gets its name only when it is complete")
    func publishing() throws {
        let file = try UnfinishedFile(path: folder.path("a"))
        try write("one", to: file)
        #expect(try names() == ["a.partial"])
        try file.publish()
        #expect(try names() == ["a"])
        #expect(try folder.read("a") == Data("one".utf8))
    }

    @Test("leaves nothing if it is abandoned, and the existing file unchanged")
    func givenUp() throws {
        try folder.write("before", to: "a")
        do {
            let file = try UnfinishedFile(path: folder.path("a"))
            try write("one", to: file)
        }
        #expect(try names() == ["a"])
        #expect(try folder.read("a") == Data("before".utf8))
    }

    @Test("has one writer: a second one is rejected")
    func twoWriters() throws {
        let file = try UnfinishedFile(path: folder.path("a"))
        let error = #expect(throws: LogFileError.self) { _ = try UnfinishedFile(path: folder.path("a")) }
        #expect(error?.code == .inUse)
        #expect(error?.message.hasPrefix("another command is writing \(folder.path("a.partial"))") == true)
        file.discard()
    }

    @Test("needs a writable folder")
    func noFolder() throws {
        let error = #expect(throws: LogFileError.self) { _ = try UnfinishedFile(path: folder.path("none/a")) }
        #expect(error?.code == .cannotWrite)
        #expect(error?.message == "cannot write \(folder.path("none/a")): no such folder; create it first")
    }

    @Test("continues at the saved position, and drops everything after it")
    func resuming() throws {
        let first = try UnfinishedFile(resumablePath: folder.path("a"), position: nil)
        try write("one two", to: first)
        first.keep()
        #expect(try names() == ["a.resume.partial"])
        let other = #expect(throws: LogFileError.self) {
            _ = try withExtendedLifetime(first) { try UnfinishedFile(resumablePath: folder.path("a"), position: 3) }
        }
        #expect(other?.code == .inUse)
    }

    @Test("continues after its position, is not overwritten, and must be at least as long as before")
    func left() throws {
        try folder.write("one two", to: "a.resume.partial")
        let new = #expect(throws: LogFileError.self) {
            _ = try UnfinishedFile(resumablePath: folder.path("a"), position: nil)
        }
        #expect(new?.code == .exists)
        let short = #expect(throws: LogFileError.self) {
            _ = try UnfinishedFile(resumablePath: folder.path("a"), position: 8)
        }
        #expect(short?.code == .changed)
        #expect(try folder.read("a.resume.partial") == Data("one two".utf8))
        let file = try UnfinishedFile(resumablePath: folder.path("a"), position: 3)
        try write(" three", to: file)
        try file.publish()
        #expect(try folder.read("a") == Data("one three".utf8))
    }

    @Test("replaces a file, but not a folder")
    func replacing() throws {
        try folder.write("before", to: "a")
        try ReplacedFile.write(Array("after".utf8), path: folder.path("a"))
        #expect(try folder.read("a") == Data("after".utf8))
        let error = #expect(throws: LogFileError.self) { try ReplacedFile.write([], path: folder.path) }
        #expect(error?.code == .notAFile)
        #expect(error?.message == "\(folder.path) is a folder or a device: pass a file")
        #expect(try names() == ["a"])
    }

    @Test("without a path is temporary: it has no name, and contains what was written")
    func temporary() throws {
        let file = try TemporaryFile()
        try Array("one two".utf8).withUnsafeBytes { try file.append($0) }
        #expect(file.length == 7)
        var bytes = [UInt8](repeating: 0, count: 3)
        try bytes.withUnsafeMutableBytes { try file.read(at: 4, into: $0) }
        #expect(bytes == Array("two".utf8))
        let error = #expect(throws: LogFileError.self) {
            try bytes.withUnsafeMutableBytes { try file.read(at: 5, into: $0) }
        }
        #expect(error?.code == .cannotRead)
    }
}
