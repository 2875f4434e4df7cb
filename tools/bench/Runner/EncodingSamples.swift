import EventLog
import EventModel
import Foundation
import JSONLines
import TrackingCore
import TrackingDomainEvents

/// What the encoding benchmarks encode.
enum EncodingSamples {
    /// The standard events that carry a name, a line with two texts, and one with a text and a number.
    static let standard: [(name: String, container: TrackingContainer)] = [
        ("launch", container(Launch())),
        ("page-view", container(PageView(page: "repository-detail", additional: "https://github.com/apple/swift"))),
        ("search", container(Search(query: "swift argument parser", page: 3))),
    ]

    /// Events that leave their encoding to the compiler.
    static let synthesized: [(name: String, container: TrackingContainer)] = [
        ("flat", container(ArticleRead.sample)),
        ("nested", container(OrderPlaced.sample)),
    ]

    static func container(_ event: any TrackingEvent) -> TrackingContainer {
        TrackingContainer(
            id: EventID(milliseconds: 1_536_753_247_351, counter: 7, random: 0x1234_5678_9ABC_DEF0),
            installID: "018f3c5e-7a1b-7c3d-9e2f-0123456789ab", seq: 48_211,
            sessionID: "018f3c5e-7a1b-7c3d-9e2f-ba9876543210", userID: "018f3c5e-7a1b-7c3d-9e2f-aaaabbbbcccc",
            time: EventTime(microseconds: 1_536_753_247_351_338),
            context: TrackingContext(app: "GitHubClient 1.4.2 (381)", os: "iOS 18.1"), event: event)
    }

    /// Foundation's encoder, created once, without escaping slashes.
    static func foundationEncoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return encoder
    }

    /// Figures for containers: how many times faster than Foundation's encoder their lines are made.
    static func figures(
        _ samples: [(name: String, container: TrackingContainer)], rounds: Int, bar: Double
    ) throws -> [Figure] {
        let encoder = foundationEncoder()
        return try samples.map { name, container in
            guard try JSONParser.parse(container.line()) == JSONParser.parse(encoder.encode(container)) else {
                throw BenchmarkFailure("\(name): the two encoders disagree")
            }
            var json = JSONWriter(capacity: 4096)
            let few = try repetitions(in: .milliseconds(4)) { _ = try encoder.encode(container) }
            let many = try repetitions(in: .milliseconds(4)) {
                json.removeAll()
                try container.write(to: &json)
            }
            let measured = try Rounds(rounds) {
                try nanoseconds(many) {
                    json.removeAll()
                    try container.write(to: &json)
                }
            } baseline: {
                try nanoseconds(few) { _ = try encoder.encode(container) }
            }
            return Figure(name: name, rounds: measured, ratio: .timesFaster, bar: .atLeast(bar))
        }
    }
}

/// Scalars of each kind, one of them missing.
private struct ArticleRead: TrackingEvent {
    enum Source: String, Encodable { case feed, search, link }

    static let name = "article-read"
    let articleID: Int64
    let title: String
    let source: Source
    let seconds: Double
    let scrolled: Double
    let isSubscriber: Bool
    let author: String?
    let coAuthor: String?
    let words: Int

    static let sample = Self(
        articleID: 90_071_992, title: "What’s new in the façade of “Ünïcode”", source: .search, seconds: 73.25,
        scrolled: 0.875, isSubscriber: true, author: "Ada Lovelace", coAuthor: nil, words: 1_842)
}

/// Containers in containers.
private struct OrderPlaced: TrackingEvent {
    struct Money: Encodable {
        let amount: Double
        let currency: String
    }

    struct Item: Encodable {
        let sku: String
        let quantity: Int
        let price: Money
        let tags: [String]
    }

    struct Address: Encodable {
        let city: String
        let postalCode: String
        let country: String
    }

    static let name = "order-placed"
    let orderID: String
    let items: [Item]
    let total: Money
    let shipping: Address
    let coupon: String?
    let isGift: Bool

    static let sample = Self(
        orderID: "2024-000183",
        items: [
            Item(sku: "A-1001", quantity: 2, price: Money(amount: 19.99, currency: "EUR"), tags: ["book", "swift"]),
            Item(sku: "B-2002", quantity: 1, price: Money(amount: 5.5, currency: "EUR"), tags: []),
            Item(sku: "C-3003", quantity: 7, price: Money(amount: 0.75, currency: "EUR"), tags: ["small"]),
        ], total: Money(amount: 50.73, currency: "EUR"),
        shipping: Address(city: "Zürich", postalCode: "8001", country: "CH"), coupon: "WELCOME", isGift: false)
}

struct EncodeStandard: Benchmark {
    let name = "encode-standard"
    let summary = "lines of standard events, which write themselves, times faster than one reused JSONEncoder"

    func figures(rounds: Int) throws -> [Figure] {
        try EncodingSamples.figures(EncodingSamples.standard, rounds: rounds, bar: 25)
    }
}

struct EncodeSynthesized: Benchmark {
    let name = "encode-synthesized"
    let summary = "lines around events with synthesised Encodable, times faster than one reused JSONEncoder"

    func figures(rounds: Int) throws -> [Figure] {
        try EncodingSamples.figures(EncodingSamples.synthesized, rounds: rounds, bar: 4)
    }
}
