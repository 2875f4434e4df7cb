import CommandRunner
import EventLog
import Foundation
import Testing
import TrackingCore

/// A key-value file that several processes, or several objects of one process, change.
@Suite("Shared key-value file", .timeLimit(.minutes(5)))
struct SharedStorageTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("tracking.json") }

    init() throws { folder = try TemporaryFolder() }

    private static func keys(_ prefix: String, _ count: Int) -> Set<String> {
        Set((1...count).map { "\(prefix)-\($0)" })
    }

    private func storedKeys() throws -> Set<String> {
        Set(try JSONDecoder().decode([String: String].self, from: folder.read("tracking.json")).keys)
    }

    @Test("two processes change a new file at the same time: every change is stored")
    func processes() async throws {
        let writers = try ["app", "extension"].map { try RunningProgram(command: "storage-writer", [path, $0, "500"]) }
        for writer in writers {
            let end = await writer.end()
            #expect(end.exitCode == 0, "\(end.stderr)")
        }
        #expect(try storedKeys() == Self.keys("app", 500).union(Self.keys("extension", 500)))
    }

    @Test("two objects in one process change a new file at the same time: every change is stored")
    func objects() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for prefix in ["a", "b"] {
                let storage = try FileKeyValueStorage(path: path)
                for number in 1...50 { group.addTask { try storage.set("x", forKey: "\(prefix)-\(number)") } }
            }
            try await group.waitForAll()
        }
        #expect(try storedKeys() == Self.keys("a", 50).union(Self.keys("b", 50)))
    }

    @Test("a process that is killed during its changes leaves a readable file with all of them, and no lock or draft")
    func killed() async throws {
        var stored: Set<String> = []
        for round in 1...5 {
            let writer = try RunningProgram(command: "storage-writer", [path, "\(round)", "100000"])
            for await line in writer.lines {
                stored.insert("\(round)-\(line)")
                if line == "\(round * 7)" { writer.send(SIGKILL) }
            }
            #expect(await writer.end().signal == SIGKILL)
            try FileKeyValueStorage(path: path).set("x", forKey: "last")
            #expect(try storedKeys().isSuperset(of: stored))
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(Set(names) == ["tracking.json", ".tracking.json.lock"])
        }
    }

    @Test("a change keeps another object's changes; its values are read when asked for, and with the next change")
    func twoViews() throws {
        let (app, other) = (try FileKeyValueStorage(path: path), try FileKeyValueStorage(path: path))
        try app.set("a", forKey: "device_id")
        try other.set("ada", forKey: "user_id")
        #expect(try app.string(forKey: "user_id") == nil)
        #expect(try app.contents() == ["device_id": "a", "user_id": "ada"])
        #expect(try app.string(forKey: "user_id") == "ada")
        try other.update { values in
            values["device_id"] = "b"
            values["user_id"] = nil
        }
        try app.set("x", forKey: "drops")
        #expect(try app.string(forKey: "device_id") == "b")
        #expect(try other.contents() == ["device_id": "b", "drops": "x"])
    }

    @Test("an update whose closure throws stores nothing")
    func abandoned() throws {
        let storage = try FileKeyValueStorage(path: path)
        try storage.set("a", forKey: "device_id")
        #expect(throws: CancellationError.self) {
            try storage.update { values in
                values = [:]
                throw CancellationError()
            }
        }
        #expect(try storage.contents() == ["device_id": "a"])
        try storage.set("b", forKey: "device_id")
    }

    @Test(
        "a lock that stays held is an error with advice; reads still work, as do changes after its release")
    func heldLock() throws {
        let storage = try FileKeyValueStorage(path: path, timeout: .milliseconds(20))
        try storage.set("a", forKey: "device_id")
        let lock = try PrivateFile.open(folder.path(".tracking.json.lock"), O_RDWR)
        try #require(flock(lock, LOCK_EX) == 0)
        let error = #expect(throws: EventLogError.self) { try storage.set("b", forKey: "device_id") }
        #expect(error?.code == .inUse)
        #expect(error?.message.contains("/.tracking.json.lock: another process has locked it for 0.02 seconds") == true)
        #expect(error?.message.hasSuffix("try again, and end that process if it is suspended") == true)
        #expect(try storage.contents() == ["device_id": "a"])
        close(lock)
        // A process that another test is starting may have the lock for a moment.
        try FileKeyValueStorage(path: path).set("b", forKey: "device_id")
        #expect(try storage.contents() == ["device_id": "b"])
    }

    @Test("a lock file that another program removed is created again; a link with its name is an error")
    func lockFile() throws {
        let storage = try FileKeyValueStorage(path: path)
        let lock = folder.path(".tracking.json.lock")
        try storage.set("a", forKey: "device_id")
        #expect(try FileManager.default.attributesOfItem(atPath: lock)[.posixPermissions] as? Int == 0o600)
        try FileManager.default.removeItem(atPath: lock)
        try storage.set("b", forKey: "device_id")
        try FileManager.default.removeItem(atPath: lock)
        try FileManager.default.createSymbolicLink(atPath: lock, withDestinationPath: folder.path("elsewhere"))
        let error = #expect(throws: (any Error).self) { try storage.set("c", forKey: "device_id") }
        #expect(error.map { "\($0)" } == "cannot open \(lock): it is a symbolic link; use the path of the file itself")
        #expect(try storage.contents() == ["device_id": "b"])
    }

    @Test("the first change removes drafts of killed processes, and no other files")
    func drafts() throws {
        for name in ["tracking.json.new-1", "tracking.json.newest", "other.json.new-1", "tracking.json.damaged-1"] {
            try folder.write("x", to: name)
        }
        let storage = try FileKeyValueStorage(path: path)
        try storage.set("a", forKey: "device_id")
        #expect(
            Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) == [
                "tracking.json", ".tracking.json.lock", "tracking.json.newest", "other.json.new-1",
                "tracking.json.damaged-1",
            ])
    }
}
