package import Primitives
package import TrackingCore

/// A text that identifies an event of the harness `erasure`, and names its user, such as
/// `person-0003-0017-42-<16 hexadecimal digits>`.
package struct PersonMarker: Hashable, Sendable, CustomStringConvertible {
    package let person: Person
    /// The event's number in its process.
    package let number: Int
    private let random: UInt64

    /// Creates the marker of a new event.
    package init(_ person: Person, number: Int, using generator: inout SplitMix64) {
        (self.person, self.number) = (person, number)
        random = generator.next() | 1 << 63
    }

    /// Reads a marker; nil for another text.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 5, let person = Person(parts[0..<3].joined(separator: "-")), let number = Int(parts[3]),
            parts[4].utf8.count == 16, let random = UInt64(parts[4], radix: 16)
        else { return nil }
        (self.person, self.number, self.random) = (person, number, random)
    }

    package var description: String { "\(person)-\(number)-\(String(random, radix: 16))" }
}

/// An event with its marker, usually once, sometimes so often that its line is longer than a page of the database.
package struct PersonEvent: TrackingEvent {
    package static let name = "crash-person"

    let markers: [String]

    /// Creates the event of a marker.
    package init(_ marker: PersonMarker) {
        markers = Array(repeating: "\(marker)", count: marker.number.isMultiple(of: 32) ? 100 : 1)
    }

    /// The marker of a recorded event; nil for another or a changed event.
    package static func marker(of container: RecordedContainer) -> PersonMarker? {
        guard container.name == name, case .array(let texts)? = container.json["event"]?["value"]?["markers"],
            let marker = texts.first?.stringValue.flatMap({ PersonMarker($0) }),
            texts.map(\.stringValue) == PersonEvent(marker).markers
        else { return nil }
        return marker
    }
}
