import Foundation
import Testing
import TrackingCore
import TrackingTesting

// The article Events shows this code, and the schema in `Schemas` with the type that is generated from it.

struct FeedbackSent: TrackingEvent {
    static let name = "feedback-sent"
    let rating: Rating  // an enum: "good"
    let device: Device  // a nested object
    let comment: String?  // optional: nil is left out
    let area: String  // personal: shortened before it is sent

    enum Rating: String, Encodable { case good, bad }

    struct Device: Encodable {
        let model: String
        let freeMegabytes: Int

        enum CodingKeys: String, CodingKey {
            case model
            case freeMegabytes = "free_megabytes"
        }
    }
}

extension TrackingEvent where Self == FeedbackSent {
    static func feedbackSent(
        _ rating: FeedbackSent.Rating, device: FeedbackSent.Device, comment: String? = nil, postcode: String
    ) -> Self {
        FeedbackSent(rating: rating, device: device, comment: comment, area: String(postcode.prefix(2)))
    }
}

@Suite("The events of the article Events")
struct EventSnippets {
    @Test("the generated event is written as the article shows, and is in the plan")
    func generated() throws {
        let schemas = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Schemas")
        let plan = try CompiledPlan(EventPlan.standard.adding(PlanFolder(path: schemas.path)))
        let recorder = TrackingRecorder(validatingAgainst: plan)
        let tracker = Tracker.mock(recording: recorder)
        tracker.send(
            .orderPlaced(
                itemCount: 3, total: .init(amount: 1999, currency: .euro), payment: .card, email: "ada@example.org"))
        let shown = try ArticleTests.block("json", after: "<!-- line: order-placed -->", in: ArticleTests.events)
        #expect(recorder.fired.map(\.description) == [ArticleTests.squeezed(shown)])
        recorder.skipRecorded()
    }

    @Test("the event by hand is written as the article shows")
    func byHand() throws {
        let recorder = TrackingRecorder()
        let tracker = Tracker.mock(recording: recorder)
        tracker.send(.feedbackSent(.good, device: .init(model: "iPhone17,1", freeMegabytes: 512), postcode: "80331"))
        let shown = try ArticleTests.block("json", after: "<!-- line: feedback-sent -->", in: ArticleTests.events)
        #expect(recorder.fired.map(\.description) == [ArticleTests.squeezed(shown)])
        recorder.skipRecorded()
    }

    @Test("the article shows the whole schema, and the declarations that are generated from it")
    func schema() throws {
        let folder = "Tests/SDK/ArticleTests"
        let schema = try ArticleTests.block("json", after: "<!-- schema -->", in: ArticleTests.events)
        #expect(try schema == ArticleTests.text("\(folder)/Schemas/events/order-placed/1-0-0.json"))
        let shown = try ArticleTests.block("swift", after: "<!-- generated -->", in: ArticleTests.events)
        let generated = try ArticleTests.text("\(folder)/Generated/OrderPlaced.swift")
        // An ellipsis in a line stands for any text.
        var rest = generated[...]
        let parts = shown.split(separator: /\n *\/\/ …\n/)
        #expect(parts.count > 1)
        for part in parts {
            let range = try #require(rest.range(of: part), "this is not generated:\n\(part)")
            rest = rest[range.upperBound...]
        }
    }
}
