import CollectorFixtures
import CollectorReading
import DeliveryProtocol
import Primitives
import Testing

@Suite("Completeness by day", .timeLimit(.minutes(10)))
struct CompletenessTests {
    private let folder: CountedFolder
    private let today = CountedFolder.day
    private let day: Int64 = 86_400

    init() throws { folder = try CountedFolder() }

    /// Two installs, two days, two versions: of `install-a`, numbers 6 to 8 and 14 are missing, 18 was dropped, and
    /// 19 is held.
    private func sendBatches() async throws {
        let (one, other) = (SendingInstall("install-a"), SendingInstall("install-b"))
        try await folder.send(1, 1...5, one.lines(1...5, app: "Shop 1"), from: one)
        try await folder.send(2, 9...12, one.lines(9...12, app: "Shop 1"), from: one, later: 60)
        try await folder.send(
            3, 13...20,
            one.lines(13...13, app: "Shop 2") + one.lines(15...17, app: "Shop 2")
                + one.lines(20...20, app: "Shop 2"), from: one, later: day,
            missing: [.init(18...18, .dropped), .init(19...19, .held)],
            ledger: [.init(reason: "runaway", seqs: 18...18, count: 1, times: nil)])
        try await folder.send(1, 1...2, other.lines(1...2, app: "Shop 2"), from: other, later: day)
    }

    private func map(
        _ statistics: ArrivalStatistics, by grouping: CompletenessMap.Grouping, app: String? = nil,
        rows: Range<Int> = 0..<10, days: Int = 2
    ) throws -> CompletenessMap {
        try statistics.completeness(of: today...today + days - 1, by: grouping, app: app, rows: rows).value
    }

    @Test("Each number belongs to a day, and to what happened to it")
    func byInstall() async throws {
        try await sendBatches()
        let map = try map(folder.counted(), by: .install)
        // The install with missing numbers is first.
        #expect(map.rows.map(\.name) == ["install-a", "install-b"])
        let (first, second) = (try #require(map.rows[0].days[today]), try #require(map.rows[0].days[today + 1]))
        #expect((first.all, first.stored, first.missing, first.held, first.reasons) == (12, 9, 3, 0, [:]))
        #expect((second.all, second.stored, second.missing, second.held) == (8, 5, 1, 1))
        #expect(second.reasons == ["runaway": 1])
        #expect(map.rows[0].total.all == 20 && map.rows[0].total.missing == 4)
        #expect(map.rows[1].days.keys.sorted() == [today + 1])
        #expect(map.rows[1].total.stored == 2 && !map.isPartial)
    }

    @Test("By version of the app, and the installs of one version")
    func byApp() async throws {
        try await sendBatches()
        let statistics = try folder.counted()
        let apps = try map(statistics, by: .app)
        #expect(apps.rows.map(\.name) == ["Shop 1", "Shop 2"])
        #expect(apps.rows.map(\.total.all) == [12, 10])
        #expect(apps.rows.map(\.total.missing) == [3, 1])
        let installs = try map(statistics, by: .install, app: "Shop 2")
        #expect(installs.rows.map(\.name) == ["install-a", "install-b"])
        #expect(installs.rows.map(\.total.all) == [8, 2])
        #expect(try map(statistics, by: .install, app: "Shop 3").rows.isEmpty)
    }

    @Test("Missing numbers that arrive later count for the day of the hole")
    func late() async throws {
        try await sendBatches()
        let statistics = try folder.counted()
        let one = SendingInstall("install-a")
        try await folder.send(4, 6...8, one.lines(6...8, app: "Shop 2"), from: one, later: 5 * day)
        try statistics.count()
        let rows = try map(statistics, by: .install, days: 10).rows
        #expect(rows[0].days[today]?.missing == 0 && rows[0].days[today]?.stored == 12)
        #expect(rows[0].days.keys.sorted() == [today, today + 1])
    }

    @Test("Rows come in pages; days outside the period do not count")
    func pages() async throws {
        try await sendBatches()
        let statistics = try folder.counted()
        let page = try map(statistics, by: .install, rows: 1..<2)
        #expect(page.rows.map(\.name) == ["install-b"] && page.rowCount == 2)
        #expect(try map(statistics, by: .install, rows: 7..<9).rows.isEmpty)
        let first = try map(statistics, by: .install, days: 1)
        #expect(first.rows.map(\.total.all) == [12] && first.rowCount == 1)
    }
}
