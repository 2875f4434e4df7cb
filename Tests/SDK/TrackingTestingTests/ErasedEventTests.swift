import Testing
import TrackingCore
import TrackingTesting

@Suite("Events of an erased user")
struct ErasedEventTests {
    private let recorder = TrackingRecorder()

    @Test("are expected once the tracker has erased them; other users' events stay")
    func erased() async throws {
        let tracker = Tracker.mock(recording: recorder)
        tracker.identify("ada")
        tracker.send(.launch)
        tracker.identify("grace")
        tracker.send(.background)
        recorder.expect(.launch, .background)
        let before = failures { recorder.expectErased(user: "ada") }
        #expect(
            before.map(\.text) == [
                """
                events of the user ada were not erased; call erase(user:):
                    {"name":"launch"}
                """
            ])
        try await tracker.erase(user: "ada")
        recorder.expectErased(user: "ada")
        #expect(tracker.userID == "grace" && recorder.log.records.count == 1)
        let none = failures { recorder.expectErased(user: "eve") }
        #expect(
            none.map(\.text) == [
                "no event of the user eve fired before the erasure: send one, to see that it is erased"
            ])
    }
}
