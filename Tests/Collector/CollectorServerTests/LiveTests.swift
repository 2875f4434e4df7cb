import CollectorFixtures
import CollectorServer
import CollectorStore
import DeliveryProtocol
import Foundation
import JSONLines
import Testing

@Suite("The live page", .timeLimit(.minutes(10)))
struct LiveTests {
    private let folder: CollectorFolder
    private let sender = SendingInstall("install-a")

    init() throws { folder = try CollectorFolder() }

    private func logIn(
        _ collector: ServedCollector, _ fields: [(String, String)] = [], token: String? = nil,
        type: String = "application/json"
    ) async throws -> RawResponse {
        try await collector.call(
            "POST", "/v1/session", key: nil, [("Content-Type", type)] + fields,
            body: Array("{\"token\": \"\(token ?? folder.adminToken)\"}".utf8))
    }

    /// The session cookie of a login, as a browser sends it back.
    private func cookie(_ collector: ServedCollector) async throws -> (String, String) {
        let answer = try await logIn(collector)
        #expect(answer.status == 204)
        let cookie = try #require(answer["Set-Cookie"])
        return ("Cookie", String(cookie.prefix { $0 != ";" }))
    }

    private func stream(
        _ collector: ServedCollector, _ query: String = "", _ fields: [(String, String)] = []
    ) async throws -> RawConnection {
        let connection = try collector.connect()
        await connection.send(
            RawRequest.head(
                "GET", "/v1/stream\(query)", fields + [("Authorization", "Bearer \(folder.adminToken)")]))
        return connection
    }

    /// The numbers of the rows in server-sent events.
    private func numbers(_ text: String) -> [Int] {
        text.split(separator: "\n").filter { $0.hasPrefix("data: {") }.compactMap { line in
            line.firstRange(of: "\"seq\":").flatMap { Int(line[$0.upperBound...].prefix { $0.isNumber }) }
        }
    }

    @Test("The page loads nothing else, and its policy allows only its own script and style")
    func page() async throws {
        try await folder.serve { collector in
            let page = try await collector.call("GET", "/live", key: nil)
            #expect(page.status == 200)
            #expect(page["Content-Type"] == "text/html; charset=utf-8")
            let policy = try #require(page["Content-Security-Policy"])
            #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
            #expect(policy.ranges(of: "'sha256-").count == 2 && !policy.contains("unsafe"))
            // The namespace is a name, which nothing loads.
            let text = page.text.replacing("http://www.w3.org/2000/svg", with: "")
            for source in ["src=", "http://", "https://", "@import", "url("] {
                #expect(!text.contains(source), "\(source)")
            }
        }
    }

    @Test("Login gives a cookie that scripts and other sites can't use; logout ends the session")
    func session() async throws {
        try await folder.serve { collector in
            #expect(try await collector.call("GET", "/v1/session", key: nil).status == 401)
            let answer = try await logIn(collector)
            let text = try #require(answer["Set-Cookie"])
            for part in ["HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=28800"] {
                #expect(text.contains(part), "\(part)")
            }
            #expect(!text.contains(folder.adminToken))
            let cookie = try await cookie(collector)
            #expect(try await collector.call("GET", "/v1/session", key: nil, [cookie]).status == 204)
            #expect(try await collector.call("GET", "/v1/installs", key: nil, [cookie]).status == 200)
            #expect(try await collector.call("DELETE", "/v1/session", key: nil, [cookie]).status == 204)
            #expect(try await collector.call("GET", "/v1/installs", key: nil, [cookie]).status == 401)
        }
    }

    @Test("A write key, a wrong token and a form can't log in")
    func refusedLogins() async throws {
        try await folder.serve { collector in
            let writer = try await logIn(collector, token: folder.writeKey)
            #expect(try writer.problem().code == .forbidden)
            let unknown = try await logIn(collector, token: "at_wrong")
            #expect(try unknown.problem().code == .unauthorized)
            let form = try await logIn(collector, type: "application/x-www-form-urlencoded")
            #expect(try form.problem().code == .unsupportedEncoding)
        }
    }

    @Test("A session ends when its token is revoked")
    func revocation() async throws {
        try await folder.serve { collector in
            let cookie = try await cookie(collector)
            let file = KeyFile(folder: folder.path)
            var keys = try file.read()
            let index = try #require(keys.firstIndex { $0.kind == .admin })
            keys[index].revokedAt = .ofSystem()
            try file.write(keys)
            #expect(
                try await eventually {
                    try await collector.call("GET", "/v1/installs", key: nil, [cookie]).status == 401
                })
        }
    }

    @Test("A logout ends the session's open streams before the next row")
    func openStream() async throws {
        try await folder.serve { collector in
            _ = try await collector.post(sender.body(1, 1...1)).receipt()
            let cookie = try await cookie(collector)
            let connection = try collector.connect()
            await connection.send(RawRequest.head("GET", "/v1/stream", [cookie, ("Connection", "close")]))
            #expect(await connection.text(until: "event: end") != nil)
            #expect(try await collector.call("DELETE", "/v1/session", key: nil, [cookie]).status == 204)
            _ = try await collector.post(sender.body(2, 2...2)).receipt()
            let rest = await connection.text(until: "0\r\n\r\n") ?? "no end"
            #expect(numbers(rest) == [] && rest != "no end")
        }
    }

    @Test("A session ends after eight hours")
    func expiry() async throws {
        let clock = TestClock()
        try await folder.serve {
            $0.now = { clock.now }
        } _: { collector in
            let cookie = try await cookie(collector)
            clock.advance(by: .seconds(8 * 3600 - 1))
            #expect(try await collector.call("GET", "/v1/session", key: nil, [cookie]).status == 204)
            clock.advance(by: .seconds(1))
            #expect(try await collector.call("GET", "/v1/session", key: nil, [cookie]).status == 401)
        }
    }

    @Test("A session can't change data, and requests of other sites can't use it")
    func crossSite() async throws {
        try await folder.serve { collector in
            let cookie = try await cookie(collector)
            for (method, path) in [("POST", "/v1/erasures"), ("POST", "/v1/backups"), ("POST", "/v1/events")] {
                let answer = try await collector.call(
                    method, path, key: nil, [cookie, ("Content-Type", "application/json")],
                    body: Array(#"{"user_id": "user-1"}"#.utf8))
                #expect(answer.status == 401, "\(path)")
            }
            for field in [
                ("Origin", "https://evil.example"), ("Sec-Fetch-Site", "cross-site"),
                ("Sec-Fetch-Site", "same-site"),
            ] {
                for path in ["/v1/session", "/v1/stream", "/v1/lines", "/live"] {
                    let answer = try await collector.call("GET", path, key: nil, [cookie, field])
                    #expect(answer.status == 403, "\(field) \(path)")
                }
                #expect(try await logIn(collector, [field]).status == 403)
            }
            let own = [cookie, ("Origin", "http://127.0.0.1"), ("Sec-Fetch-Site", "same-origin")]
            #expect(try await collector.call("GET", "/v1/session", key: nil, own).status == 204)
        }
    }

    @Test("On loopback, a foreign host name is refused")
    func rebinding() async throws {
        try await folder.serve { collector in
            let connection = try collector.connect()
            await connection.send("GET /live HTTP/1.1\r\nHost: evil.example:\(collector.port)\r\n\r\n")
            let answer = await connection.response()
            #expect(try answer?.problem().code == .forbidden)
        }
    }

    @Test("Elsewhere than on loopback, the page is off unless it is turned on", arguments: [nil, false, true])
    func reach(_ setting: Bool?) async throws {
        try await folder.serve {
            $0.host = "0.0.0.0"
            $0.livePage = setting
        } _: { collector in
            let page = try await collector.call("GET", "/live", key: nil)
            #expect(page.status == (setting == true ? 200 : 404))
            #expect(try await logIn(collector).status == (setting == true ? 204 : 404))
        }
    }

    @Test("The stream sends stored rows in order, announces its end, and continues with new rows")
    func stream() async throws {
        try await folder.serve { collector in
            _ = try await collector.post(sender.body(1, 1...3)).receipt()
            let connection = try await stream(collector)
            let first = await connection.text(until: "event: end") ?? ""
            #expect(first.contains("Content-Type: text/event-stream"))
            #expect(numbers(first) == [1, 2, 3])
            for batch in 2...5 {
                let seqs = Int64(batch * 2)...Int64(batch * 2 + 1)
                _ = try await collector.post(sender.body(batch, seqs)).receipt()
                let next = await connection.text(until: "\"seq\":\(seqs.upperBound)") ?? ""
                #expect(numbers(next).suffix(2) == [batch * 2, batch * 2 + 1])
            }
            // A CR between two tokens does not end a line of the stream.
            let spaced = SendingInstall.body([
                sender.header(9, 12...12), sender.line(12).replacingOccurrences(of: ",\"seq\"", with: ",\r\r\"seq\""),
            ])
            _ = try await collector.post(spaced).receipt()
            let row = await connection.text(until: "\"seq\":12") ?? ""
            #expect(row.contains("\"seq\":12") && !row.replacing("\r\n", with: "").contains("\r"))
            // A browser that reconnects sends the id of the last event.
            let again = try await stream(collector, "?after=0", [("Last-Event-ID", "3.0.6")])
            let rest = await again.text(until: "event: end") ?? ""
            #expect(numbers(rest) == [7, 8, 9, 10, 11, 12])
            let last = try await stream(collector, "?last=1&not-user=ada")
            let newest = await last.text(until: "event: end") ?? ""
            #expect(numbers(newest) == [12])
        }
    }

    @Test("Without following, the stream ends after the stored rows")
    func bounded() async throws {
        try await folder.serve { collector in
            _ = try await collector.post(sender.body(1, 1...3)).receipt()
            let connection = try await stream(collector, "?follow=false", [("Connection", "close")])
            let all = await connection.text(until: "0\r\n\r\n") ?? ""
            #expect(numbers(all) == [1, 2, 3])
            #expect(await connection.endsSilently())
        }
    }

    @Test("A row is copied as a Swift test; rows without an event are not found")
    func copiedTest() async throws {
        try await folder.serve { collector in
            _ = try await collector.post(sender.body(1, 1...1, query: "a b")).receipt()
            let test = try await collector.get("/v1/rows/1.0.1/test")
            #expect(test.status == 200)
            #expect(test.text.contains("import TrackingDomainEvents\n"))
            #expect(test.text.contains("    let event = Search("))
            for path in ["1.0.2", "2.0.1", "1", "1.1.1"] {
                #expect(try await collector.get("/v1/rows/\(path)/test").problem().code == .notFound, "\(path)")
            }
            #expect(try await collector.get("/v1/rows/x/test").problem().code == .malformed)
        }
    }

    @Test(
        "An invalid parameter is refused with what to do",
        arguments: [
            ("after=x", "not a cursor"), ("follow=no", "true or false"), ("last=-1", "from 0 to"),
            ("nmae=a", "unknown parameter"),
            ("kind=lost", "use accepted"), ("where=event.", "where: "),
        ])
    func invalid(_ query: String, _ part: String) async throws {
        try await folder.serve { collector in
            let problem = try await collector.get("/v1/stream?\(query)").problem()
            #expect(problem.code == .malformed && problem.detail.contains(part))
        }
    }

    @Test("A shutdown ends streams after the stored rows")
    func shutdown() async throws {
        let start = ContinuousClock.now
        try await folder.serve { collector in
            _ = try await collector.post(sender.body(1, 1...3)).receipt()
            let connection = try await stream(collector)
            _ = await connection.text(until: "event: end")
            try await collector.stop()
            #expect(await connection.endsSilently() == false)
        }
        // The default would close the connections after 20 seconds.
        #expect(ContinuousClock.now - start < .seconds(300))
    }

    @Test("The plan is described with the schema's words")
    func plan() async throws {
        try await folder.serve { collector in
            let plan = try await collector.get("/v1/plan").json
            guard case .array(let properties)? = plan?["search/1-0-0"] else {
                Issue.record("the plan has no list for search")
                return
            }
            let query = try #require(properties.first { $0["path"]?.stringValue == "value.query" })
            #expect(query["description"]?.stringValue?.isEmpty == false)
            #expect(query["type"]?.stringValue == "string")
        }
    }
}
