import EventLog
import EventModel
import LogFixtures
import Testing

@testable import LogMaintenance

@Suite("Answers in the doctor's findings")
struct AnswerTests {
    let folder: LogFolder

    init() throws { folder = try LogFolder() }

    private func findings() throws -> [Finding] {
        try LogDoctor(DoctorOptions(now: EventTime(seconds: 1000))).examine(folder.path).filter { $0.check == .answers }
    }

    @Test("are listed newest first, without the people's ids")
    func listed() async throws {
        let store = try folder.open()
        store.append()
        #expect(try findings().isEmpty)
        for (isGranted, app) in [(false, nil), (true, "1.2")] {
            let answer = ConsentAnswer(
                isGranted ? .granted : .denied, people: ["ada"], time: EventTime(seconds: 60), policy: .required,
                app: app)
            try await store.storeConsent(store.noteConsent(.answer(answer)))
        }
        try await store.close()
        let key = EventLogReader.key(of: "ada")
        let found = try findings()
        #expect(
            found.map(\.message) == [
                "2 answers about consent, 1 of them granted",
                "1970-01-01T00:01:00.000000Z \(key) granted for analytics, policy required, app 1.2",
                "1970-01-01T00:01:00.000000Z \(key) denied for all, policy required",
            ])
        #expect(found.map { $0.numbers["number"] } == [nil, 2, 1])
        #expect(found.allSatisfy { $0.severity == .note && $0.advice == nil })
    }

    @Test("are listed up to the newest 20")
    func many() async throws {
        let store = try folder.open()
        for number in 1...25 { try await store.setConsent(number % 2 == 0 ? .granted : .denied, of: ["ada"]) }
        try await store.close()
        let found = try findings()
        #expect(found.first?.message == "25 answers about consent, 12 of them granted; the newest 20 follow")
        #expect(found.dropFirst().map { $0.numbers["number"] } == (6...25).reversed())
    }
}
