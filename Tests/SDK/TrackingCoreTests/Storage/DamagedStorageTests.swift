import CommandRunner
import EventLog
import Foundation
import PowerCuts
import Testing
import TrackingCore

/// A key-value file whose content was damaged.
@Suite("Damaged key-value file")
struct DamagedStorageTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("tracking.json") }

    init() throws { folder = try TemporaryFolder() }

    private func names() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
    }

    private static let damaged = [
        "", String(repeating: "\0", count: 200), #"{"device_id":"a","user_"#, #"["device_id"]"#, #"{"device_id":5}"#,
        #"{"device_id":null}"#, "\u{FEFF}", "null", "\0",
    ]

    @Test(
        "is copied to the next free name and replaced; the loss is known until the values are restored",
        arguments: damaged)
    func replaced(text: String) throws {
        try folder.write("former", to: "tracking.json.damaged-1")
        try folder.write(text, to: "tracking.json")
        let storage = try FileKeyValueStorage(path: path)
        #expect(try storage.string(forKey: "device_id") == nil)
        #expect(try folder.read("tracking.json.damaged-1") == Data("former".utf8))
        #expect(try folder.read("tracking.json.damaged-2") == Data(text.utf8))
        let damage = try #require(storage.takeDamage())
        #expect(damage.code == .corrupt && damage.message.hasPrefix("\(path) was damaged (\(text.utf8.count) bytes"))
        #expect(damage.message.contains("moved to \(path).damaged-2"))
        #expect(storage.takeDamage() == nil)

        // Another process, or the next start after a kill: nothing to report, but the values are missing.
        let other = try FileKeyValueStorage(path: path)
        #expect(other.takeDamage() == nil)
        try other.set("1", forKey: "drops")
        #expect(try other.contents() == ["drops": "1", "damaged_file": "tracking.json.damaged-2"])
        try other.update { values in
            values["device_id"] = "from the log"
            values[FileKeyValueStorage.damagedFileKey] = nil
        }
        #expect(try storage.contents() == ["drops": "1", "device_id": "from the log"])
        for name in try names() {
            let mode = try FileManager.default.attributesOfItem(atPath: folder.path(name))[.posixPermissions] as? Int
            #expect(name.hasSuffix("damaged-1") || mode == 0o600, "\(name)")
        }
    }

    @Test("damage while the file is in use is found by the next change, which is stored")
    func later() throws {
        let storage = try FileKeyValueStorage(path: path)
        try storage.set("ada", forKey: "user_id")
        try folder.write("x", to: "tracking.json")
        #expect(try storage.string(forKey: "user_id") == "ada")
        try storage.set("bob", forKey: "user_id")
        #expect(try storage.contents() == ["user_id": "bob", "damaged_file": "tracking.json.damaged-1"])
        #expect(storage.takeDamage() != nil)
    }

    @Test("two processes that find the damage at the same time make one copy")
    func twoFinders() async throws {
        try folder.write("x", to: "tracking.json")
        let damages = try await withThrowingTaskGroup(of: Bool.self) { [path] group in
            for _ in 1...4 { group.addTask { try FileKeyValueStorage(path: path).takeDamage() != nil } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(damages == 1)
        #expect(try names() == ["tracking.json", "tracking.json.damaged-1", ".tracking.json.lock"])
    }

    @Test("after a power failure while it is replaced, the damaged or the new file is there, never none")
    func powerFailure() throws {
        try folder.write("x", to: "tracking.json")
        let disk = try RecordedDisk(folder.path)
        let storage = try FileKeyValueStorage(path: path, files: disk) { [folder] in
            Array(try folder.read("tracking.json"))
        }
        #expect(storage.takeDamage() != nil)
        let (new, copy) = (Array(try folder.read("tracking.json")), path + ".damaged-1")
        #expect(disk.contents(of: path) == [Array("x".utf8), new] && disk.contentsNow(of: path) == [new])
        #expect(disk.contents(of: copy) == [nil, Array("x".utf8)] && disk.contentsNow(of: copy) == [Array("x".utf8)])
    }

    @Test(
        "a file that can't be replaced stays as it is; the error is thrown",
        arguments: [RecordedDisk.Call.create, .sync])
    func notReplaced(call: RecordedDisk.Call) throws {
        try folder.write("x", to: "tracking.json")
        let disk = try RecordedDisk(folder.path, failing: call)
        #expect(throws: (any Error).self) {
            try FileKeyValueStorage(path: path, files: disk) { [folder] in Array(try folder.read("tracking.json")) }
        }
        #expect(try names() == ["tracking.json", ".tracking.json.lock"])
        #expect(try folder.read("tracking.json") == Data("x".utf8))
    }

    @Test("links and folders are errors, and not changed", arguments: [true, false])
    func notOurs(isFolder: Bool) throws {
        if isFolder {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        } else {
            // A link to a file that does not exist, too, must not be followed or replaced.
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.path("elsewhere"))
        }
        let error = #expect(throws: (any Error).self) { try FileKeyValueStorage(path: path) }
        let reason = isFolder ? "it is not a regular file" : "it is a symbolic link"
        #expect(error.map { "\($0)" }?.hasPrefix("cannot open \(path): \(reason)") == true)
        #expect(try names() == ["tracking.json"])
    }
}
