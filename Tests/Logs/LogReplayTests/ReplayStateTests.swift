import CommandRunner
import EventModel
import LogReplay
import Testing

@Suite("The state of a replay")
struct ReplayStateTests {
    private let folder: TemporaryFolder
    private let options = ["--to": "a \"file\"", "the pace": "max"]

    init() throws { folder = try TemporaryFolder() }

    @Test("A written state is read back")
    func roundTrip() throws {
        let file = StateFile(path: folder.path("state"))
        #expect(try file.read(for: options, lanes: 2) == nil)
        var state = ReplayState(options: options, run: "r", started: EventTime(microseconds: 1_234_567), lanes: 2)
        state.lanes[1].events = 1 << 40
        state.lanes[1].checksum = 0xFFFF_FFFF
        state.lanes[0].stamp = EventTime(microseconds: -5)
        state.lanes[1].letters = 1 << 33
        state.position = 77
        try file.write(state)
        #expect(try file.read(for: options, lanes: 2) == state)
    }

    @Test(
        "Anything else is rejected",
        arguments: ["", "{}", "[]", "{\"replay_state\":2}", "{\"replay_state\":1,\"options\":{},\"run\":\"r\"}"])
    func damaged(text: String) throws {
        let file = StateFile(path: try folder.write(text, to: "state"))
        let error = #expect(throws: ReplayError.self) { _ = try file.read(for: options, lanes: 2) }
        #expect(error?.code == .notOurs)
    }

    @Test("A state whose lanes do not match its options is rejected", arguments: [1, 3])
    func otherLanes(count: Int) throws {
        let file = StateFile(path: folder.path("state"))
        try file.write(ReplayState(options: options, run: "r", started: EventTime(seconds: 1), lanes: count))
        let error = #expect(throws: ReplayError.self) { _ = try file.read(for: options, lanes: 2) }
        #expect(error?.code == .notOurs)
        #expect(error?.message.contains("is not a replay's state") == true)
    }

    @Test("The state of another replay is rejected, with the differences")
    func other() throws {
        let file = StateFile(path: folder.path("state"))
        try file.write(ReplayState(options: options, run: "r", started: EventTime(seconds: 1), lanes: 1))
        let error = #expect(throws: ReplayError.self) {
            _ = try file.read(for: ["the pace": "1x", "--set": "a=1", "--user": StateFile.digestMark + "07"], lanes: 1)
        }
        #expect(error?.code == .otherReplay)
        #expect(error?.message.contains("--set was not given, and is a=1") == true)
        #expect(error?.message.contains("--to was a \"file\", and is not given") == true)
        #expect(error?.message.contains("the pace was max, and is 1x") == true)
        #expect(error?.message.contains("--user was different;") == true)
    }
}
