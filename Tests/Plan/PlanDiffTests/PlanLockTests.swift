import PlanDiff
import Testing
import TrackingPlan

@Suite("The lock file")
struct PlanLockTests {
    private static let published = PlanFolder(files: [
        file("events/b/1-0-0.json", "b"), file("container/1-0-0.json", "c"), file("events/a/1-0-0.json", "a"),
        file("README.md", "not locked"), file("examples/good/a.jsonl", "not locked"),
    ])

    private static func file(_ path: String, _ text: String) -> PlanFile {
        PlanFile(path: path, bytes: Array(text.utf8))
    }

    @Test("The lock has the format of sha256sum, sorted by path")
    func text() throws {
        let lock = PlanLock(Self.published)
        #expect(
            lock.text == """
                2e7d2c03a9507ae265ecf5b5356885a53393a2029d241394997265a1a25aefc6  container/1-0-0.json
                ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb  events/a/1-0-0.json
                3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d  events/b/1-0-0.json

                """)
        #expect(try PlanLock(text: Array(lock.text.utf8)) == lock)
        #expect(lock.differences(to: Self.published) == [])
        #expect(try PlanLock(text: []).text == "")
    }

    @Test("CR LF and a missing last line feed are accepted")
    func lineEnds() throws {
        let lock = PlanLock(Self.published)
        #expect(try PlanLock(text: Array(lock.text.replacing("\n", with: "\r\n").utf8)) == lock)
        #expect(try PlanLock(text: Array(lock.text.utf8.dropLast())) == lock)
    }

    @Test("Changed, missing and unlocked schemas are listed")
    func differences() throws {
        let now = PlanFolder(files: [
            Self.file("container/1-0-0.json", "c"), Self.file("events/a/1-0-0.json", "other"),
            Self.file("events/a/1-0-1.json", "new"),
        ])
        let lock = PlanLock(Self.published)
        #expect(
            lock.differences(to: now).map(\.description) == [
                "events/a/1-0-0.json: changed since it was published: restore it, and write a new version",
                "events/a/1-0-1.json: not published yet: lock it with trackctl schema lock",
                "events/b/1-0-0.json: published, but missing: restore it, logs still contain its events",
            ])
        #expect(lock.adding(now).differences(to: now).map(\.kind) == [.changed, .missing])
    }

    @Test(
        "Invalid lines are reported",
        arguments: [
            ("x\n", "line 1 is not a digest, two spaces and a path: restore the file from version control"),
            (
                String(repeating: "a", count: 63) + "  a",
                "line 1 is not a digest, two spaces and a path: restore the file from version control"
            ),
            (
                "\(String(repeating: "a", count: 64))  b\n\(String(repeating: "A", count: 64))  c\n",
                "line 2 is not a digest, two spaces and a path: restore the file from version control"
            ),
            (
                "\(String(repeating: "a", count: 64))  b\n\(String(repeating: "a", count: 64))  b\n",
                "line 2 does not sort after the previous line: sort the lines by path"
            ),
            ("\n", "line 1 is not a digest, two spaces and a path: restore the file from version control"),
        ])
    func issues(_ text: String, _ message: String) throws {
        let error = try #require(throws: PlanLockError.self) { try PlanLock(text: Array(text.utf8)) }
        #expect(error.description == message)
    }
}
