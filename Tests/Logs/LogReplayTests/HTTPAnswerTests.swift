import Foundation
import LogReplay
import Testing

@Suite("The meaning of an endpoint's answer")
struct HTTPAnswerTests {
    private func answer(_ status: Int, retryAfter: String? = nil) -> SinkAnswer {
        HTTPAnswer(status: status, retryAfter: retryAfter)
            .sinkAnswer(name: "it", events: 3, now: Date(timeIntervalSince1970: 784_111_770))
    }

    @Test("2xx is delivered", arguments: [200, 201, 202, 204])
    func delivered(status: Int) { #expect(answer(status) == .delivered(.init(kept: 3))) }

    @Test("Temporary failures are retried", arguments: [408, 425, 429, 500, 502, 503, 504, 599])
    func retry(status: Int) {
        #expect(answer(status) == .retry(after: nil, SinkReason(status: status, "it answered \(status)")))
    }

    @Test("413 requests smaller batches")
    func tooLarge() { #expect(answer(413) == .tooLarge(SinkReason(status: 413, "it answered 413"))) }

    @Test("All others are permanent rejections", arguments: [301, 302, 304, 400, 401, 403, 404, 409, 410, 415, 422])
    func refused(status: Int) {
        #expect(answer(status) == .refused(SinkReason(status: status, "it answered \(status)")))
    }

    @Test(
        "Retry-After is seconds or a date",
        arguments: [
            ("120", Duration.seconds(120)), (" 0 ", .zero), ("Sun, 06 Nov 1994 08:49:37 GMT", .seconds(7)),
            ("Sun, 06 Nov 1994 08:49:00 GMT", .zero), ("-5", nil), ("soon", nil),
            ("99999999999999", .seconds(1 << 31)),
        ] as [(String, Duration?)])
    func retryAfter(text: String, wait: Duration?) {
        #expect(
            answer(429, retryAfter: text) == .retry(after: wait, SinkReason(status: 429, "it answered 429")))
    }
}
