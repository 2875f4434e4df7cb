import EventModel
import Primitives
import Testing

@testable import EventLog

@Suite("The consents in memory")
struct ConsentTableTests {
    private func bytes(_ table: ConsentTable) throws -> Int {
        let words = Swift.Mirror(reflecting: table).children.first { $0.label == "words" }
        return 8 * (try #require(words?.value as? [UInt64])).count
    }

    @Test("of any number of people need at most 32 bytes each, and the newest record of each is found")
    func size() throws {
        var table = ConsentTable()
        var random = SplitMix64(seed: 7)
        var expected: [UInt64: ConsentRecord] = [:]
        for number in 1...100_000 as ClosedRange<Int64> {
            let key = max(random.next() & ConsentMirror.keyBits, 1 << 20)
            let record = ConsentRecord(number % 3 == 0 ? .denied : .granted, number: number)
            table.merge(record, at: key)
            expected[key] = record
            if number >= 24, number.nonzeroBitCount == 1 || number % 9973 == 0 {
                #expect(try bytes(table) <= 32 * expected.count)
            }
        }
        #expect(expected.allSatisfy { table[$0] == $1 })
        #expect(table[1 << 20] == nil && !table.isUnrestricted)
        let key = try #require(expected.keys.first)
        let changes = [ConsentRecord(.denied, number: 0), ConsentRecord(.granted, number: 200_000)].map { record in
            table.merge(record, at: key)
        }
        #expect(changes == [false, true] && table[key]?.number == 200_000)
    }

    @Test("restrict nothing once the last strict record is replaced")
    func restriction() {
        var table = ConsentTable()
        #expect(table.isUnrestricted)
        for (key, state) in [(1, ConsentRecord.State.required), (2, .denied)] as [(UInt64, ConsentRecord.State)] {
            table.merge(ConsentRecord(state, number: 1), at: key << 20)
        }
        table.merge(ConsentRecord(.granted, number: 2), at: 1 << 20)
        #expect(!table.isUnrestricted)
        table.merge(ConsentRecord(.granted, number: 3), at: 2 << 20)
        #expect(table.isUnrestricted)
    }

    @Test("of a user are those of the anonymous people, for each purpose")
    func links() {
        var table = ConsentTable()
        let (device, user) = (ConsentMirror.key(of: "device"), ConsentMirror.key(of: "ada"))
        table.link([device: user])
        table.merge(ConsentRecord(.denied, number: 1), at: ConsentMirror.key(user, for: "ads"))
        #expect(table.rule(of: device, for: "ads").status.value == .denied)
        #expect(table.rule(of: device, for: .analytics).status.value == .granted)
        table.merge(ConsentRecord(.granted, number: 2), at: ConsentMirror.key(device, for: "ads"))
        #expect(table.rule(of: device, for: "ads").mayDeliver && !table.rule(of: user, for: "ads").mayDeliver)
        #expect(table.rule(of: user, for: .exempt).mayDeliver)
    }
}
