import JSONLines
import Primitives
import Testing
import TrackingCore

/// A drop because of an encoding error is reported with the path of the property, never with its value.
@Suite("The property that cannot be encoded")
struct EncodingPathTests {
    private let dependencies = TestDependencies()

    private func report(of event: some TrackingEvent) -> [String] {
        #expect(dependencies.start().tracking.send(event) == nil)
        return dependencies.diagnostics.withLock { $0 }
    }

    private static let notFinite = "a number is NaN or infinite; JSON has neither: leave it out or send null"

    @Test("is named within arrays, objects and dictionaries")
    func nested() {
        struct Item: Encodable, Sendable { let price: Double }
        struct Order: TrackingEvent {
            static let name = "order"
            let items: [Item]
            var totals: [String: [String: Double]] = [:]
        }
        let items = [1, 2, Double.nan].map(Item.init)
        #expect(
            report(of: Order(items: items)) == [
                "order at 'items[2].price': \(Self.notFinite)", "dropped order encoding",
            ])
        dependencies.diagnostics.withLock { $0 = [] }
        #expect(
            report(of: Order(items: [], totals: ["EUR": ["net sum": .infinity]])).first
                == #"order at 'totals.EUR."net sum"': "# + Self.notFinite)
    }

    @Test("is named if an event writes its own JSON")
    func written() {
        struct Written: TrackingEvent {
            static let name = "written"
            let prices: [Double]
            func writeValue(to json: inout JSONWriter) throws {
                json.beginObject()
                json.key("a\"b")
                json.string("}{\\\",[")
                json.key("items")
                json.beginArray()
                for price in prices {
                    json.beginObject()
                    json.key("price")
                    guard json.number(price) else { throw JSONEncodingError.notFinite() }
                    json.endObject()
                }
                json.endArray()
                json.endObject()
            }
        }
        #expect(report(of: Written(prices: [1, 2, .nan])).first == "written at 'items[2].price': \(Self.notFinite)")
    }

    @Test("is named for other errors, whose text is not reported")
    func otherErrors() {
        struct Secret: Error, CustomStringConvertible { let description = "user@example.com" }
        struct Failing: Encodable, Sendable {
            func encode(to encoder: any Encoder) throws { throw Secret() }
        }
        struct Checkout: TrackingEvent {
            static let name = "checkout"
            let lines: [[String: Failing]]
        }
        #expect(
            report(of: Checkout(lines: [[:], ["user": Failing()]])) == [
                "checkout at 'lines[1].user': its encoding threw Secret", "dropped checkout encoding",
            ])
    }

    @Test("is the path of an EncodingError")
    func encodingErrors() {
        struct Careful: TrackingEvent {
            enum Key: CodingKey { case total }
            static let name = "careful"
            func encode(to encoder: any Encoder) throws {
                throw EncodingError.invalidValue(
                    5, .init(codingPath: encoder.codingPath + [Key.total], debugDescription: "5 is too small"))
            }
        }
        #expect(report(of: Careful()).first == "careful at 'total': its encoding threw EncodingError")
    }

    @Test("is empty if the value is not a JSON object")
    func noObject() {
        enum Gesture: String, TrackingEvent {
            static let name = "gesture"
            case tap
        }
        #expect(report(of: Gesture.tap) == ["gesture at '': it is not a JSON object", "dropped gesture encoding"])
    }
}
