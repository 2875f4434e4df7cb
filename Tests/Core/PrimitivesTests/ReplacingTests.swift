import CommandRunner
import Foundation
import PowerCuts
import Primitives
import Testing

@Suite("Replacing a file")
struct ReplacingTests {
    private let folder: TemporaryFolder
    private let new = Array("the new content".utf8)
    private var path: String { folder.path("a") }
    private var draft: String { folder.path("a.draft") }

    init() throws { folder = try TemporaryFolder() }

    /// The content of the file before; nil for no file.
    private func start(_ old: String?) throws -> [UInt8]? {
        if let old { try folder.write(old, to: "a") }
        return old.map { Array($0.utf8) }
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test(
        "after a power failure at any time the file has its old or its new content, and at the end the new one",
        arguments: [nil, "", "old"], [1, 4, Int.max])
    func powerFailure(old: String?, longestWrite: Int) throws {
        let old = try start(old)
        let disk = try RecordedDisk(folder.path, longestWrite: longestWrite)
        try disk.replace(path, with: new, draft: draft)
        #expect(disk.contents(of: path) == [old, new])
        #expect(disk.contentsNow(of: path) == [new] && disk.contentsNow(of: draft) == [nil])
        #expect(try folder.read("a") == Data(new))
        #expect(try names() == ["a"])
    }

    @Test("the draft of a killed process is removed, as is a symbolic link with its name", arguments: [false, true])
    func leftDraft(isLink: Bool) throws {
        let old = try start("old")
        try folder.write("other", to: "b")
        if isLink {
            try FileManager.default.createSymbolicLink(atPath: draft, withDestinationPath: folder.path("b"))
        } else {
            try folder.write("half of a longer content", to: "a.draft")
        }
        let disk = try RecordedDisk(folder.path)
        try disk.replace(path, with: new, draft: draft)
        #expect(disk.contents(of: path) == [old, new] && disk.contentsNow(of: path) == [new])
        #expect(try names() == ["a", "b"])
        #expect(try folder.read("b") == Data("other".utf8))
    }

    @Test(
        "if a call fails, no draft is left, and the file has its old content or, after the renaming, the new one",
        arguments: RecordedDisk.Call.allCases)
    func failure(call: RecordedDisk.Call) throws {
        let old = try start("old")
        let disk = try RecordedDisk(folder.path, failing: call)
        let error = #expect(throws: SystemError.self) { try disk.replace(path, with: new, draft: draft) }
        #expect(error?.call == "\(call)" && error?.code == EIO)
        #expect(error?.path == (call == .syncFolder ? folder.path : draft))
        #expect(try names() == ["a"])
        #expect(try folder.read("a") == Data(call == .syncFolder ? new : Array("old".utf8)))
        #expect(disk.contents(of: path) == (call == .syncFolder ? [old, new] : [old]))
    }

    @Test("the file has mode 0600")
    func mode() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.write("old", to: "a"))
        try SystemCalls().replace(path, with: new, draft: draft)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(mode == 0o600)
    }

    @Test("the system's errors state the call, the path and the number")
    func systemError() throws {
        let missing = folder.path("none/a")
        let error = #expect(throws: SystemError.self) {
            try SystemCalls().replace(missing, with: new, draft: missing + ".draft")
        }
        #expect(error?.call == "open" && error?.path == missing + ".draft" && error?.code == ENOENT)
        #expect(error?.description == "\(missing).draft: open: No such file or directory")
    }

    #if os(Linux)
        @Test("a file system that cannot sync folders, such as procfs, is an error, unless it is tolerated")
        func unsyncedFolders() throws {
            let error = #expect(throws: SystemError.self) { try SystemCalls().syncFolder("/proc") }
            #expect(error?.call == "fsync" && error?.code == EINVAL)
            try SystemCalls(toleratesUnsyncedFolders: true).syncFolder("/proc")
            #expect(throws: SystemError.self) {
                try SystemCalls(toleratesUnsyncedFolders: true).syncFolder(folder.path("missing"))
            }
        }
    #endif

    @Test("a draft that is synced only with its name may be empty after a power failure")
    func unsynced() throws {
        let old = try start("old")
        let disk = try RecordedDisk(folder.path)
        let descriptor = try disk.create(draft)
        defer { disk.close(descriptor) }
        try new.withUnsafeBytes { try disk.writeAll(descriptor, $0, path: draft) }
        try disk.publish(draft, as: path)
        #expect(disk.contents(of: path).isSuperset(of: [old, new, []]))
        #expect(disk.contentsNow(of: path).contains([]))
    }

    @Test("the folder of a path", arguments: [("/a/b", "/a"), ("/a", "/"), ("a", "."), ("a/b", "a")])
    func parent(path: String, folder: String) throws {
        let disk = FailingFolder()
        let error = #expect(throws: SystemError.self) { try disk.syncFolder(of: path) }
        #expect(error?.path == folder)
    }

    private struct FailingFolder: FileCalls {
        func syncFolder(_ path: String) throws { throw SystemError("fsync", code: EIO, path: path) }
    }
}
