import DeliveryProtocol
import EventLog
import Foundation
import Testing
import TrackingHTTP

/// Valid parameters, and secrets that no text contains.
@Suite("Setup", .timeLimit(.minutes(10)))
struct SetupTests {
    @Test(
        "https is accepted for any host, http for this device only",
        arguments: [
            "https://collector.example.com/v1/events", "HTTPS://collector.example.com", "https://10.0.0.1:8443/",
            "http://127.0.0.1:8080/v1/events", "http://127.255.3.4/", "http://localhost/", "http://LOCALHOST:1/",
            "http://[::1]:8080/", "https://xn--bcher-kva.example/",
        ])
    func good(text: String) throws {
        let sink = try HTTPSink(url: text, key: "key")
        #expect("\(sink)".contains("http"))
    }

    @Test(
        "any other URL is an error with advice",
        arguments: [
            ("http://example.com/v1/events", "insecureURL"), ("http://127.0.0.1.example.com/", "insecureURL"),
            ("http://localhost.example.com/", "insecureURL"), ("http://128.0.0.1/", "insecureURL"),
            ("http://0x7f000001/", "insecureURL"), ("http://[::2]/", "insecureURL"), ("http://0.0.0.0/", "insecureURL"),
            ("http://[::ffff:10.0.0.1]/", "insecureURL"), ("http://1/", "insecureURL"),
            ("http://127.1/", "insecureURL"),
            ("", "malformedURL"), ("collector", "malformedURL"), ("https://", "malformedURL"),
            ("/v1/events", "malformedURL"), ("ftp://127.0.0.1/", "malformedURL"), ("file:///tmp/x", "malformedURL"),
            ("https://user:secret@example.com/", "malformedURL"), ("https://user@example.com/", "malformedURL"),
            ("https://example.com:99999/", "malformedURL"),
        ])
    func bad(text: String, code: String) throws {
        do {
            _ = try HTTPSink(url: text, key: "key")
            Issue.record("\(text) was accepted")
        } catch {
            #expect(error.code.description == code, "\(text)")
            #expect(error.message.contains("pass") || error.message.contains("must"))
            #expect(!error.message.contains("secret"))
        }
    }

    @Test(
        "an invalid bearer token is an error that does not show the key",
        arguments: [
            "", " ", "=", "wk_ secret", "wk_secret\n", "wk_secret\r\nX-Evil: 1", "\"wk_secret\"", "wk_sécret",
            "wk_se=cret", "wk_secret" + String(repeating: "x", count: 512),
        ])
    func badKey(key: String) throws {
        do {
            _ = try HTTPSink(url: "https://example.com", key: key)
            Issue.record("the key was accepted")
        } catch {
            #expect(error.code.description == "invalidKey")
            #expect(!"\(error)".contains("cret"))
        }
    }

    @Test(
        "keys of all allowed characters are accepted",
        arguments: ["a", "AZaz09-._~+/==", String(repeating: "k", count: 512)])
    func goodKey(key: String) throws { _ = try HTTPSink(url: "https://example.com", key: key) }

    @Test("descriptions, mirrors and dumps contain neither the key nor the URL's query")
    func descriptions() throws {
        let key = "wk_secret-key"
        let endpoint = try DeliveryEndpoint("https://example.com/v1/events?token=query-secret")
        let sink = try HTTPSink(url: endpoint.url, key: key)
        let request = DeliveryRequest(
            url: endpoint.url, fields: [DeliveryField("Authorization", "Bearer \(key)")], body: Array(key.utf8),
            timeout: .seconds(1), maximumResponseBytes: 1)
        for value in [sink, try WriteKey(key), endpoint, request] as [any Sendable] {
            var dumped = ""
            dump(value, to: &dumped)
            let texts = [dumped, "\(value)", String(reflecting: value), String(describing: Mirror(reflecting: value))]
            for text in texts {
                #expect(!text.contains("secret"), "\(text)")
            }
        }
        #expect("\(sink)" == "http, to https://example.com/v1/events")
    }

    @Test("reports and dead letters omit a key or secret that the server repeats")
    func echo() async throws {
        let phone = try Phone()
        let collector = try CollectorDouble([
            .status(308, [("Location", "https://example.com/\(Phone.key)")]),
            .making { batch in
                let secret = batch.header.secret
                let problem = DeliveryProblem(
                    .unavailable, "\(Phone.key.prefix(4))\u{200B}\(Phone.key.dropFirst(4)) \(secret) \u{1B}[2J")
                return .status(503, [], try problem.json())
            },
            .receipt { batch in
                batch.receipt(
                    stored: [1...1],
                    rejected: [
                        .init(
                            seq: 2, id: nil, line: 3, code: "schema",
                            message: "\(Phone.key)\n\(batch.header.secret)" + String(repeating: "long", count: 1_000),
                            instancePath: "/\(Phone.key)")
                    ])
            },
        ])
        let app = try phone.start(collector.url)
        app.send(2)
        for _ in 1...3 { await app.flush() }
        let secret = try #require(collector.batches().first?.header.secret)
        let letters = try await app.deadLetters()
        #expect(letters.count == 1)
        for text in phone.reports + letters.flatMap({ [$0.reason, $0.location ?? ""] }) {
            #expect(!text.contains(Phone.key) && !text.contains(secret))
            #expect(text.count < 700 && text.unicodeScalars.allSatisfy { $0.value >= 0x20 })
        }
        #expect(phone.reports.count == 3 && phone.reports[1].hasSuffix("answered 503 unavailable: … … [2J"))
    }
}
