import CommandRunner
import Foundation
import LogFiles
import Testing

@testable import Scaffolding

@Suite("Writing all files or none")
struct ScaffoldWriterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ files: [ScaffoldFile]) throws {
        var scaffold = Scaffold()
        scaffold.files = files
        try ScaffoldWriter(scaffold).write()
    }

    private func names() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    }

    @Test("New files are created with their folders; changed files keep permissions and links")
    func written() throws {
        try folder.write("old", to: "real")
        chmod(folder.path("real"), 0o600)
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "real")
        try write([
            ScaffoldFile(new: folder.path("a/b/c"), "new"),
            ScaffoldFile(changing: folder.path("link"), from: Array("old".utf8), to: Array("changed".utf8)),
        ])
        #expect(try names() == ["a", "a/b", "a/b/c", "link", "real"])
        #expect(try folder.read("a/b/c") == Data("new".utf8))
        #expect(try folder.read("real") == Data("changed".utf8))
        let permissions = try FileManager.default.attributesOfItem(atPath: folder.path("real"))[.posixPermissions]
        #expect(permissions as? Int == 0o600)
    }

    @Test("Every existing file is reported, dangling links too, and nothing is written")
    func present() throws {
        try folder.write("mine", to: "b")
        try FileManager.default.createSymbolicLink(atPath: folder.path("c"), withDestinationPath: "nowhere")
        let error = #expect(throws: ScaffoldError.self) {
            try write(["a", "b", "c"].map { ScaffoldFile(new: folder.path($0), "new") })
        }
        #expect(error?.code == .exists)
        #expect(
            error?.message == """
                these files already exist, and nothing was written: move the files, or choose another name
                  \(folder.path("b"))
                  \(folder.path("c"))
                """)
        #expect(try names() == ["b", "c"])
        #expect(try folder.read("b") == Data("mine".utf8))
    }

    @Test("If a rename fails, the earlier files and their folders are removed")
    func takenBack() throws {
        try folder.write("one", to: "one")
        try folder.write("other", to: "two")
        let error = #expect(throws: ScaffoldError.self) {
            try write([
                ScaffoldFile(new: folder.path("a/b"), "new"),
                ScaffoldFile(changing: folder.path("one"), from: Array("one".utf8), to: Array("changed".utf8)),
                ScaffoldFile(changing: folder.path("two"), from: Array("two".utf8), to: Array("changed".utf8)),
            ])
        }
        #expect(error?.code == .changed)
        #expect(
            error?.message == "another program changed \(folder.path("two")): run the command again")
        #expect(try names() == ["one", "two"])
        #expect(try folder.read("one") == Data("one".utf8))
    }

    @Test("If a file cannot be created, nothing is left")
    func notBegun() throws {
        try folder.write("a file", to: "file")
        let error = #expect(throws: LogFileError.self) {
            try write([
                ScaffoldFile(new: folder.path("a/b"), "new"), ScaffoldFile(new: folder.path("file/b"), "new"),
            ])
        }
        #expect(error?.code == .cannotWrite)
        #expect(try names() == ["file"])
    }
}
