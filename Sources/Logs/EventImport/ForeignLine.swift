internal import EventModel
package import JSONLines

/// A line of another system's log.
package struct ForeignLine {
    package let bytes: [UInt8]
    package let value: JSONValue

    /// Parses a line without its line feed.
    ///
    /// - Throws: `JSONSyntaxError` if the line is not a JSON object.
    package init(_ bytes: [UInt8]) throws(JSONSyntaxError) {
        self.bytes = bytes
        value = try JSONParser.parse(bytes)
        guard case .object = value else { throw JSONSyntaxError(offset: 0, reason: "the line is not an object") }
    }

    /// - Parameter members: The members of an object.
    /// - Throws: `JSONEncodingError` if a value can't be written as JSON.
    package init(_ members: [String: JSONValue]) throws {
        value = .object(members)
        var json = JSONWriter()
        try value.write(to: &json)
        bytes = json.bytes
    }
}

/// The format of times in another system's log.
enum ForeignTime: String, CaseIterable {
    case rfc3339
    /// Since 1970: seconds with at most six decimals, milliseconds, microseconds.
    case seconds = "s"
    case milliseconds = "ms"
    case microseconds = "us"

    /// The time of a value; nil if the value has another format.
    func time(of value: JSONValue) -> EventTime? {
        switch (self, value) {
        case (.rfc3339, .string(let text)): EventTime(rfc3339: text)
        case (.seconds, .string(let text)): EventTime(secondsSince1970: text)
        case (.seconds, .number(let seconds)):
            // For current times, a double is precise to less than a quarter of a microsecond.
            Int64(exactly: (seconds * 1_000_000).rounded()).map { EventTime(microseconds: $0) }
        case (.seconds, .integer(let number)): Self.time(number, 1_000_000)
        case (.milliseconds, .integer(let number)): Self.time(number, 1000)
        case (.microseconds, .integer(let number)): Self.time(number, 1)
        case (.milliseconds, .string(let text)): Int64(text).flatMap { Self.time($0, 1000) }
        case (.microseconds, .string(let text)): Int64(text).flatMap { Self.time($0, 1) }
        default: nil
        }
    }

    private static func time(_ number: Int64, _ unit: Int64) -> EventTime? {
        let (microseconds, overflows) = number.multipliedReportingOverflow(by: unit)
        return overflows ? nil : EventTime(microseconds: microseconds)
    }
}

extension EventPath {
    /// The value at this path; nil if there is none.
    func value(in tree: JSONValue) -> JSONValue? {
        var value = tree
        for step in steps {
            let next: JSONValue?
            switch (step, value) {
            case (.name(let name), .object(let members)): next = members[String(decoding: name, as: UTF8.self)]
            case (.element(let location), .array(let elements)):
                next = elements.indices.contains(location) ? elements[location] : nil
            default: next = nil
            }
            guard let next else { return nil }
            value = next
        }
        return value
    }
}
