internal import DeliveryProtocol
package import EventModel
internal import JSONLines

/// A page of a collector's lines, in the order of storage: a response to `GET /v1/lines`.
package struct LinesPage: Sendable {
    /// The exact lines, each with its line feed.
    package let lines: [UInt8]
    /// The cursor of the next page. Opaque; empty before the first line.
    package let cursor: String
    /// Whether more lines may be available now.
    package let hasMore: Bool

    /// Reads a response.
    ///
    /// - Parameters:
    ///   - after: The cursor of the request.
    ///   - server: The server's name in messages.
    /// - Throws: ``CollectorError``, `invalidAnswer`, if the response would lose or repeat lines.
    init(_ response: DeliveryResponse, after: String, server: String) throws(CollectorError) {
        func invalid(_ reason: String) -> CollectorError {
            CollectorError(.invalidAnswer, "\(server) answered 200 \(reason): check that it is a collector")
        }
        guard let cursor = response[LinesQuery.cursorField], let more = response[LinesQuery.moreField] else {
            throw invalid("without \(LinesQuery.cursorField) and \(LinesQuery.moreField)")
        }
        guard more == "true" || more == "false" else {
            throw invalid("without true or false as \(LinesQuery.moreField)")
        }
        lines = response.body
        self.cursor = cursor
        hasMore = more == "true"
        guard lines.isEmpty || lines.last == UInt8(ascii: "\n") else { throw invalid("with an incomplete line") }
        guard cursor != after || lines.isEmpty && !hasMore else {
            throw invalid("with a cursor that does not advance")
        }
    }
}

/// Selects the lines of a collector. All given conditions must be true.
package struct LinesSelection: Hashable, Sendable {
    package var install: String?
    /// Lines of this `user_id`.
    package var user: String?
    /// Lines of the event or schema with this name.
    package var schema: String?
    /// Events not before this time.
    package var from: EventTime?
    /// Events not after this time.
    package var to: EventTime?

    package init() {}

    var parameters: [(name: String, value: String)] {
        [
            (LinesQuery.install, install), (LinesQuery.user, user), (LinesQuery.schema, schema),
            (LinesQuery.from, from.map(Self.seconds)), (LinesQuery.to, to.map(Self.seconds)),
        ].compactMap { name, value in value.map { (name, $0) } }
    }

    private static func seconds(_ time: EventTime) -> String {
        var json = JSONWriter()
        json.seconds(microseconds: time.microseconds)
        return json.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}
