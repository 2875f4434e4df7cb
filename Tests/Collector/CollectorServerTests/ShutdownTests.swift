import CollectorFixtures
import CollectorServer
import CommandRunner
import DeliveryProtocol
import Foundation
import Primitives
import Testing

@Suite("Shutting down", .timeLimit(.minutes(10)))
struct ShutdownTests {
    private let folder: CollectorFolder

    init() throws { folder = try CollectorFolder() }

    /// The last acknowledged number of each install.
    private final class Acknowledged: Sendable {
        private let numbers = Locked<[String: Int64]>([:])
        func note(_ install: String, _ seq: Int64) { numbers.withLock { $0[install] = seq } }
        var all: [String: Int64] { numbers.withLock { $0 } }
    }

    /// Posts batch after batch until the collector accepts no more.
    private static func send(_ sender: SendingInstall, port: Int, key: String, _ acknowledged: Acknowledged) async {
        var (batch, connection): (Int, RawConnection?) = (0, nil)
        while batch < 100_000 {
            let first = Int64(batch * 7 + 1)
            let body = sender.body(batch + 1, first...first + 6)
            guard let open = connection ?? (try? RawConnection(port: port)) else { return }
            connection = open
            guard await open.send(RawRequest.events(key: key, [("Content-Length", "\(body.count)")]) + body),
                let answer = await open.response(), answer.status == 200
            else { return }
            acknowledged.note(sender.id, first + 6)
            batch += 1
            if answer["Connection"] == "close" { connection = nil }
        }
    }

    /// Compares the store with the acknowledged numbers: at most one batch more, which was stored but not answered.
    private func compare(_ acknowledged: [String: Int64], _ senders: [SendingInstall]) async throws {
        let stored = try await folder.storedLines()
        for sender in senders {
            let last = try #require(acknowledged[sender.id])
            let lines = stored[sender.id] ?? [:]
            #expect([Int(last), Int(last) + 7].contains(lines.count), "\(sender.id)")
            for (seq, line) in lines { #expect(line == sender.line(seq)) }
            #expect((1...last).allSatisfy { lines[$0] != nil })
        }
    }

    @Test("Under load, no acknowledged event is lost, and all connections end")
    func load() async throws {
        let senders = (1...6).map { SendingInstall("install-\($0)") }
        let acknowledged = Acknowledged()
        let key = folder.writeKey
        try await folder.serve { collector in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for sender in senders {
                    group.addTask { await Self.send(sender, port: collector.port, key: key, acknowledged) }
                }
                #expect(try await eventually { acknowledged.all.values.filter { $0 > 50 }.count == 6 })
                try await collector.stop()
                try await group.waitForAll()
            }
        }
        try await compare(acknowledged.all, senders)
    }

    @Test(
        "Idle connections end at the drain timeout, and the folder is released"
    )
    func silent() async throws {
        let sender = SendingInstall("install-a")
        let collector = try await ServedCollector.start(folder) { $0.drainTimeout = .seconds(2) }
        _ = try await collector.post(sender.body(1, 1...5)).receipt()
        let (silent, header, body, chunks) = (
            try collector.connect(), try collector.connect(), try collector.connect(), try collector.connect()
        )
        await header.send("POST /v1/events HTTP/1.1\r\nHost: a\r\nConte")
        await body.send(
            RawRequest.events(key: folder.writeKey, [("Content-Length", "100000")]) + sender.body(2, 6...8))
        await chunks.send(
            RawRequest.events(key: folder.writeKey, [("Transfer-Encoding", "chunked")])
                + RawRequest.chunk(sender.body(2, 6...8)))
        #expect(
            try await eventually {
                try await collector.get("/metrics").lines.contains("collector_requests_in_flight 2")
            })
        let begin = ContinuousClock.now
        try? await collector.stop()  // whether it calls the limit an error is asked of the command
        // The connections' timeouts are ten minutes.
        #expect(ContinuousClock.now - begin < .seconds(120))
        for (name, connection) in [("silent", silent), ("header", header)] {
            #expect(await connection.endsSilently(), "\(name)")
        }
        for connection in [body, chunks] { #expect(await connection.response()?.status != 200) }
        #expect(
            try await folder.storedLines() == [
                "install-a": Dictionary(uniqueKeysWithValues: (1...5).map { ($0, sender.line($0)) })
            ])
    }

    @Test("With idle connections, the command ends with 0 after SIGTERM, within the drain timeout")
    func command() async throws {
        let sender = SendingInstall("install-a")
        let program = try RunningProgram(
            command: "collector",
            [
                "serve", "--data", folder.path, "--port", "0", "--drain-timeout", "1", "--header-timeout", "3600",
                "--body-timeout", "3600", "--idle-timeout", "3600",
            ])
        let line = try #require(await program.nextLine())
        #expect(line.hasPrefix("collector: listening on http://127.0.0.1:"))
        let port = try #require(line.split(separator: ":").last.flatMap { Int($0) })
        let (silent, header, body) = (
            try RawConnection(port: port), try RawConnection(port: port), try RawConnection(port: port)
        )
        await header.send("POST /v1/events HT")
        let batch = sender.body(1, 1...3)
        await body.send(
            RawRequest.events(key: folder.writeKey, [("Content-Length", "\(batch.count)")]) + batch)
        #expect(try #require(await body.response()).receipt().stored == [1...3])
        await body.send(
            RawRequest.events(
                key: folder.writeKey, [("Content-Length", "\(batch.count)"), ("Expect", "100-continue")]))
        #expect(await body.response()?.status == 100)
        program.send(SIGTERM)
        let end = await program.end()
        #expect(end.signal == nil && end.exitCode == 0, "\(end.stderr)")
        #expect(await silent.endsSilently())
        #expect(try await folder.storedLines()["install-a"]?.count == 3)
    }

    @Test("Only one collector can open a folder at a time")
    func lock() async throws {
        try await folder.serve { _ in
            await #expect(throws: (any Error).self) { try await ServedCollector.start(folder) }
            let second = try await runCommand("collector", ["serve", "--data", folder.path, "--port", "0"])
            #expect(
                second.exitCode != 0 && second.stderr.contains("in use") || second.stderr.contains("another"),
                "\(second.stderr)")
        }
        let status = try await folder.serve { try await $0.get("/healthz").status }
        #expect(status == 200)
    }

    @Test("The command creates its first keys, and accepts keys that are added while it runs")
    func keys() async throws {
        let data = folder.temporary.path("fresh")
        let program = try RunningProgram(command: "collector", ["--data", data, "--port", "0"])
        var (write, admin, port): (String?, String?, Int?) = (nil, nil, nil)
        while port == nil, let line = await program.nextLine() {
            let last = line.split(separator: " ").last.map(String.init)
            if line.hasPrefix("write key:") { write = last }
            if line.hasPrefix("admin token:") {
                // Other output than a terminal's is often a journal.
                let file = try #require(last)
                #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
                admin = try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .newlines)
            }
            if line.hasPrefix("collector: listening") { port = line.split(separator: ":").last.flatMap { Int($0) } }
        }
        let (key, token, open) = (try #require(write), try #require(admin), try #require(port))
        func post(_ key: String, _ number: Int) async throws -> Int? {
            let connection = try RawConnection(port: open)
            let body = SendingInstall("install-a").body(number, Int64(number)...Int64(number))
            await connection.send(RawRequest.events(key: key, [("Content-Length", "\(body.count)")]) + body)
            return await connection.response()?.status
        }
        #expect(try await post(key, 1) == 200)
        let added = try await runCommand("collector", ["keys", "add", "shop", "--data", data])
        #expect(added.exitCode == 0)
        let other = String(decoding: added.stdout, as: UTF8.self).trimmingCharacters(in: .newlines)
        #expect(try await eventually { try await post(other, 2) == 200 })
        let revoked = try await runCommand("collector", ["keys", "revoke", String(key.prefix(9)), "--data", data])
        #expect(revoked.exitCode == 0, "\(revoked.stderr)")
        #expect(try await eventually { try await post(key, 3) == 403 })
        let list = try await runCommand("collector", ["keys", "list", "--data", data])
        let text = String(decoding: list.stdout, as: UTF8.self)
        #expect(text.contains("shop") && text.contains("revoked") && !text.contains(token) && !text.contains(key))
        program.send(SIGINT)
        #expect(await program.end().exitCode == 0)
        let doctor = try await runCommand("collector", ["doctor", "--data", data])
        #expect(doctor.exitCode == 0, "\(String(decoding: doctor.stdout, as: UTF8.self))")
    }

    @Test("The first start prints the admin token to a terminal, and writes no file with it")
    func terminal() async throws {
        let data = folder.temporary.path("seen")
        let occupied = try await folder.serve { served in
            try await runOnTerminal("collector", ["--data", data, "--port", "\(served.port)"])
        }
        let text = String(decoding: occupied.stdout, as: UTF8.self)
        #expect(text.contains(/admin token: at_[0-9a-f]{32}/), "\(text)")
        #expect(!FileManager.default.fileExists(atPath: AdminTokenFile(folder: data).path))
    }
}
