import CommandRunner
import DeliveryProtocol
import Foundation
import GRDB
import StreamClient
import Testing

@testable import Warehouse

@Suite("Blocks of a partition")
struct PartitionStateTests {
    private let folder: StateFolder

    init() throws { folder = try StateFolder() }

    private struct Failure: Error, Equatable {}

    private func hash(_ numbers: some Sequence<Int64>, install: String = "a", variant: String = "") -> UInt64 {
        numbers.reduce(0) { sum, seq in
            sum
                &+ RangeHash(
                    seqs: seq...seq, lines: [Array(StateFolder.line(install, seq, variant: variant).utf8)]
                ).hash
        }
    }

    @Test("A row has the columns of its line and its arrival")
    func row() throws {
        let state = try folder.open()
        let block = try state.block(
            1,
            [
                StateFolder.message(
                    [2...2], absent: [.init(3...4, .dropped, reason: "evicted")], unvalidated: [2...2])
            ])
        let line = StateFolder.line("a", 2).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        let row =
            #"{"install_id":"a","seq":2,"fork":"","id":"018f3c00-0000-7000-8000-000000001002","event":"search","#
            + #""schema":"search/1-0-0","user_id":"u","session_id":"s","time":"1970-01-01 00:00:02.500000","#
            + #""corrected_time":"1970-01-01 00:00:03.500000","received_at":"2017-11-30 00:00:00.000007","#
            + #""context":{},"properties":{"q":"a\"b","n":1.0},"validated":false,"collector":"c1","#
            + #""batch":"00000000000000000000000000000001","block":"3-1","line":"\#(line)"}"# + "\n"
        #expect(block.events.map { String(decoding: $0.text, as: UTF8.self) } == [row])
        #expect(block.events.map(\.hour) == [420_000] && block.events.map(\.count) == [1])
        let numbers =
            #"{"install_id":"a","first":3,"last":4,"fate":"dropped","reason":"evicted","#
            + #""received_at":"2017-11-30 00:00:00.000007","collector":"c1","#
            + #""batch":"00000000000000000000000000000001","block":"3-1"}"# + "\n"
        #expect(block.numbers.map { String(decoding: $0.text, as: UTF8.self) } == [numbers])
    }

    @Test("Each line is in one block, whichever collectors forward it, in whatever order")
    func once() throws {
        let state = try folder.open()
        let first = try state.block(
            1,
            [
                StateFolder.message([5...9], batch: 2), StateFolder.message([1...4], batch: 1),
                StateFolder.message([1...4], batch: 1, collector: "c2"),
            ])
        #expect(first.duplicates == 4)
        #expect(
            first.installs == [
                .init(installID: "a", fork: "", ranges: [1...9], count: 9, hash: hash(1...9))
            ])
        // Part of the numbers is new, also between known ones.
        let second = try state.block(
            2, [StateFolder.message([3...12], batch: 3), StateFolder.message([20...20], batch: 4)])
        #expect(second.duplicates == 7)
        #expect(second.installs.map(\.ranges) == [[10...12, 20...20]])
        let third = try state.block(
            3, [StateFolder.message([11...22], batch: 5), StateFolder.message([1...2], of: "b", batch: 6)])
        #expect(third.installs.map(\.ranges) == [[13...19, 21...22], [1...2]])
        #expect(third.installs.map(\.hash) == [hash(Array(13...19) + [21, 22]), hash(1...2, install: "b")])
        let rest = try state.block(4, [StateFolder.message([1...22], batch: 7)])
        #expect(rest.events.isEmpty && rest.duplicates == 22)
    }

    @Test("Another line under a known number is stored once, under the id of a fork")
    func forks() throws {
        let state = try folder.open()
        _ = try state.block(1, [StateFolder.message([1...4], batch: 1)])
        let clone = StateFolder.message([3...6], batch: 9, variant: " of a clone")
        let block = try state.block(2, [clone, clone])
        let id = String(repeating: "0", count: 31) + "9"
        #expect(
            block.installs == [
                .init(
                    installID: "a", fork: "", ranges: [5...6], count: 2, hash: hash(5...6, variant: " of a clone")),
                .init(
                    installID: "a", fork: id, ranges: [3...4], count: 2, hash: hash(3...4, variant: " of a clone")),
            ])
        #expect(block.duplicates == 4)
        // A third device.
        let other = try state.block(3, [StateFolder.message([4...4], batch: 10, variant: "!")])
        #expect(other.installs.map(\.fork) == [String(repeating: "0", count: 30) + "10"])
        #expect(try state.block(4, [StateFolder.message([4...4], batch: 11, variant: "!")]).duplicates == 1)
    }

    @Test("A block whose store failed is made again, with the same bytes")
    func again() throws {
        var state: PartitionState? = try folder.open()
        _ = try state?.block(1, [StateFolder.message([1...4])])
        let messages = [
            StateFolder.message([2...9], batch: 2), StateFolder.message([2...3], batch: 3, variant: "!"),
        ]
        var tried: [Block] = []
        for _ in 0..<2 {
            #expect(throws: Failure.self) {
                try state?.add(StateFolder.cut(2, 2), cutSequence: 2, messages) { block -> Void in
                    tried.append(block)
                    throw Failure()
                }
            }
            #expect(state?.position == .init(block: 1, through: 10, cut: 1))
        }
        // Another loader with the same state, as after a crash.
        state = nil
        state = try folder.open()
        tried.append(try #require(try state?.block(2, messages)))
        #expect(tried[0] == tried[1] && tried[1] == tried[2] && !tried[0].events.isEmpty)
        #expect(state?.position == .init(block: 2, through: 20, cut: 2))
    }

    @Test("Rows are grouped by the hour of receipt")
    func hours() throws {
        let state = try folder.open()
        let block = try state.block(
            1,
            [
                StateFolder.message([1...2], batch: 1, hour: 500),
                StateFolder.message([3...3], batch: 2, hour: 499),
                StateFolder.message([4...4], batch: 3, hour: 500),
            ])
        #expect(block.events.map(\.hour) == [499, 500] && block.events.map(\.count) == [1, 3])
        #expect(block.events.map(\.hash) == [hash([3]), hash([1, 2, 4])])
    }

    @Test("A state belongs to one stream, one number of partitions, and one loader at a time")
    func identity() throws {
        var state: PartitionState? = try folder.open()
        let held = #expect(throws: LoaderError.self) { try folder.open() }
        #expect(held?.code == .inUse)
        _ = try state?.block(1, [StateFolder.message([1...1])])
        state = nil
        for (stream, partitions) in [("s2", 16), ("s1", 8)] {
            let other = #expect(throws: LoaderError.self) {
                try folder.open(stream: stream, partitions: partitions)
            }
            #expect(other?.code == .otherStream)
        }
        #expect(try folder.open().position == .init(block: 1, through: 10, cut: 1))
    }

    private func database<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try DatabaseQueue(path: folder.folder.path("state/partition-3.sqlite")).write(body)
    }

    @Test("Repeated lines are recognized for the configured days; what comes later is stored as a fork, once")
    func oldHashes() throws {
        let state = try folder.open(hashDays: 10)
        func send(_ block: Int64, _ numbers: ClosedRange<Int64>, day: Int64) throws -> Block {
            try state.block(
                block, [StateFolder.message([numbers], batch: Int(block), hour: 24 * (17_000 + day))])
        }
        _ = try send(1, 1...4, day: 0)
        _ = try send(2, 5...6, day: 1)
        // Lines of the same block are compared before hashes are removed.
        #expect(try send(3, 1...7, day: 11).duplicates == 6)
        let late = try send(4, 1...7, day: 11)
        #expect(late.duplicates == 3)
        #expect(
            late.installs == [
                .init(
                    installID: "a", fork: String(repeating: "0", count: 31) + "4", ranges: [1...4], count: 4,
                    hash: hash(1...4))
            ])
        #expect(try send(5, 1...7, day: 12).duplicates == 7)
        #expect(try send(6, 1...7, day: 12).installs.map(\.ranges) == [[5...6]])
    }

    @Test("After years, the state has no more hashes than of the configured days, and a row for the other numbers")
    func boundedState() throws {
        let state = try folder.open(hashDays: 10)
        var rows: [Int] = []
        for day in 1...Int64(800) {
            let seqs = (day - 1) * 5 + 1...day * 5
            let messages = ["a", "b", "c"].map {
                StateFolder.message([seqs], of: $0, batch: Int(day), hour: 24 * (17_000 + day))
            }
            #expect(try state.block(day, messages).installs.map(\.count) == [5, 5, 5])
            rows.append(try database { try Int.fetchOne($0, sql: "SELECT count(*) FROM runs") ?? 0 })
        }
        #expect(rows.max() == 3 * 11 && rows.last == 3 * 11)
        let unhashed = try database { db in
            try Row.fetchAll(db, sql: "SELECT first, last FROM unhashed").map { [$0[0], $0[1]] as [Int64] }
        }
        #expect(unhashed == Array(repeating: [1, 5 * 789], count: 3))
    }

    @Test("A time of receipt in the future removes no hashes")
    func futureReceipt() throws {
        let state = try folder.open(hashDays: 10, day: 17_005)
        _ = try state.block(1, [StateFolder.message([1...4], batch: 1, hour: 24 * 17_000)])
        _ = try state.block(2, [StateFolder.message([5...5], batch: 2, hour: 24 * 90_000)])
        #expect(try state.block(3, [StateFolder.message([1...5], batch: 3, hour: 24 * 17_005)]).duplicates == 5)
    }

    @Test("A state of an unreleased or a newer version is rejected", arguments: [1, 3])
    func versions(version: Int) throws {
        var state: PartitionState? = try folder.open()
        _ = try state?.block(1, [StateFolder.message([1...4], hour: 24 * 17_000)])
        state = nil
        try database { try $0.execute(sql: "PRAGMA user_version = \(version)") }
        let error = #expect(throws: LoaderError.self) { try folder.open() }
        #expect(error?.code == .cannotOpen)
        try database { try $0.execute(sql: "PRAGMA user_version = 2") }
        state = try folder.open()
        let again = StateFolder.message([1...4], batch: 2, hour: 24 * 17_000)
        #expect(try state?.block(2, [again]).duplicates == 4)
    }

    @Test("Against a model: random messages with duplicates, forks, gaps and removed hashes", arguments: 1...16)
    func model(seed: UInt64) throws {
        let hashDays = seed <= 8 ? 400 : 3
        let state = try folder.open(hashDays: hashDays)
        var random = SeededGenerator(seed: seed)
        // Without a variant after the hash was removed.
        var stored: [String: [Int64: (variant: String?, day: Int)]] = [:]
        var forks: Set<String> = []
        for number in 1...20 {
            var expected: [String] = []
            var messages: [StreamMessage] = []
            let day = number / 2 + Int.random(in: 0...1, using: &random)
            for batch in 0..<Int.random(in: 1...4, using: &random) {
                let install = ["a", "b", "c"].randomElement(using: &random) ?? ""
                let first = Int64.random(in: 1...40, using: &random)
                let variant = ["", "", "", "x", "y"].randomElement(using: &random) ?? ""
                let last = first + Int64.random(in: 0...12, using: &random)
                var numbers: [ClosedRange<Int64>] = [first...last]
                if last - first > 4 { numbers = [first...first + 1, first + 4...last] }
                messages.append(
                    StateFolder.message(
                        numbers, of: install, batch: number * 10 + batch, variant: variant,
                        hour: Int64(24 * (17_000 + day))))
                for seq in numbers.joined() {
                    switch stored[install]?[seq] {
                    case nil:
                        stored[install, default: [:]][seq] = (variant, day)
                        expected.append("\(install) \(seq) \(variant) false")
                    case (variant, _)?: break
                    default:
                        if forks.insert("\(install) \(seq) \(variant)").inserted {
                            expected.append("\(install) \(seq) \(variant) true")
                        }
                    }
                }
            }
            let block = try state.block(Int64(number), messages)
            var found: [String] = []
            for group in block.events {
                for row in group.text.split(separator: UInt8(ascii: "\n")) {
                    let object = try #require(
                        try JSONSerialization.jsonObject(with: Data(row)) as? [String: Any])
                    let properties = try #require(object["properties"] as? [String: Any])
                    let variant = (properties["q"] as? String ?? "").dropFirst("a\"b".count)
                    found.append(
                        "\(object["install_id"] ?? "") \(object["seq"] ?? "") \(variant) \(object["fork"] as? String != "")"
                    )
                }
            }
            #expect(found == expected)
            #expect(block.installs.reduce(0) { $0 + $1.count } == Int64(expected.count))
            for (install, lines) in stored {
                stored[install] = lines.mapValues { ($0.day < day - hashDays ? nil : $0.variant, $0.day) }
            }
        }
    }
}
