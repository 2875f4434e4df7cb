import LogReplay
import Testing

@Suite("Batches waiting for their lanes")
struct LaneBacklogTests {
    private func batches(lanes: Int, events: Int = 10) throws -> [ReplayBatch] {
        var feed = EventFeed(.small(lanes: lanes, events: events), state: .fresh(lanes: lanes))
        var source = LinesSource(ReplayedLine.lines(2000, users: 50))
        while try source.next({ event throws(CannotRewrite) in try feed.add(event) }) {}
        return try feed.finish().map(\.batch)
    }

    @Test("The waiting bytes are limited, and each lane keeps its order")
    func bounded() throws {
        let batches = try batches(lanes: 4)
        let maximum = 40_000
        var backlog = LaneBacklog(lanes: 4, maximumBytes: maximum)
        var taken: [ReplayBatch] = []
        var waiting = [0, 0, 0, 0]
        for batch in batches {
            while !backlog.hasRoom(for: batch) {
                // The first lane removes nothing while another has a batch.
                let lane = try #require([1, 2, 3, 0].first { lane in waiting[lane] > 0 })
                let batch = backlog.removeFirst(ofLane: lane)
                taken.append(try #require(batch))
                waiting[lane] -= 1
            }
            backlog.append(batch)
            waiting[batch.lane] += 1
            #expect(backlog.bytes <= maximum && backlog.bytes >= batch.body.count)
        }
        for lane in 0..<4 { while let batch = backlog.removeFirst(ofLane: lane) { taken.append(batch) } }
        #expect(backlog.bytes == 0)
        for lane in 0..<4 {
            #expect(taken.filter { $0.lane == lane }.map(\.id) == batches.filter { $0.lane == lane }.map(\.id))
        }
    }

    @Test("A batch larger than the limit waits alone; a single lane holds two")
    func few() throws {
        let batches = try batches(lanes: 1)
        var small = LaneBacklog(lanes: 4, maximumBytes: 10)
        #expect(small.hasRoom(for: batches[0]))
        small.append(batches[0])
        #expect(!small.hasRoom(for: batches[1]))
        var single = LaneBacklog(lanes: 1, maximumBytes: .max)
        for batch in batches[..<2] {
            #expect(single.hasRoom(for: batch))
            single.append(batch)
        }
        #expect(!single.hasRoom(for: batches[2]))
        let first = single.removeFirst(ofLane: 0)
        #expect(first?.id == batches[0].id)
        #expect(single.hasRoom(for: batches[2]))
        single.removeAll()
        let none = single.removeFirst(ofLane: 0)
        #expect(single.bytes == 0 && none == nil)
    }
}
