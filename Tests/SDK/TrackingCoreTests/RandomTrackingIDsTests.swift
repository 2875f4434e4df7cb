import Dispatch
import Foundation
import Primitives
import Testing
import TrackingCore

@Suite("Random ids")
struct RandomTrackingIDsTests {
    private let start = EventTime(microseconds: 1_795_255_679_642_255)

    @Test("ids increase when the clock stops, goes back, and when the counter overflows")
    func rising() {
        let ids = RandomTrackingIDs()
        var made: [EventID] = []
        for step in 0..<10_000 {
            made.append(ids.eventID(at: start.advanced(by: .microseconds(step % 3 == 0 ? -5_000_000 : step / 1_000))))
        }
        #expect(zip(made, made.dropFirst()).allSatisfy { $0 < $1 })
        #expect(made[0].high >> 16 == start.advanced(by: .microseconds(-5_000_000)).milliseconds)
        #expect(made[1].high >> 16 == start.milliseconds)
        #expect(made.allSatisfy { $0.high >> 12 & 0xF == 7 && $0.low >> 62 == 2 })
    }

    @Test("a new millisecond starts the counter at random in the lower half of its range")
    func counter() {
        let ids = RandomTrackingIDs()
        let counters = (1...200).map { ids.eventID(at: start.advanced(by: .milliseconds($0))).high & 0xFFF }
        #expect(counters.allSatisfy { $0 < 0x800 })
        #expect(Set(counters).count > 100)
    }

    @Test("eight threads and two generators make no duplicate ids, and all random bits vary")
    func unique() {
        let (left, right) = (RandomTrackingIDs(), RandomTrackingIDs())
        let made = Locked<[EventID]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            let ids = (0..<2_000).map { _ in (thread % 2 == 0 ? left : right).eventID(at: start) }
            made.withLock { $0 += ids }
        }
        let all = made.withLock { $0 }
        #expect(Set(all.map(\.low)).count == 16_000)
        let (ones, zeros) = all.reduce((0, 0)) { ($0.0 | $1.low, $0.1 | ~$1.low) }
        #expect(ones == ~(1 << 62))
        #expect(zeros == .max >> 1)
    }

    @Test("UUIDs have version 4, are in upper case, and all random bits vary")
    func uuids() throws {
        let ids = RandomTrackingIDs()
        let made = (0..<1000).map { _ in ids.uuid() }
        #expect(Set(made).count == 1000)
        var (ones, zeros) = ([UInt8](repeating: 0, count: 16), [UInt8](repeating: 0, count: 16))
        for text in made {
            let uuid = try #require(UUID(uuidString: text))
            #expect(uuid.uuidString == text)
            for (index, byte) in withUnsafeBytes(of: uuid.uuid, Array.init).enumerated() {
                ones[index] |= byte
                zeros[index] |= ~byte
            }
        }
        var fixedOnes = [UInt8](repeating: 0xFF, count: 16)
        var fixedZeros = fixedOnes
        (fixedOnes[6], fixedOnes[8]) = (0x4F, 0xBF)
        (fixedZeros[6], fixedZeros[8]) = (0xBF, 0x7F)
        #expect(ones == fixedOnes && zeros == fixedZeros)
    }
}
