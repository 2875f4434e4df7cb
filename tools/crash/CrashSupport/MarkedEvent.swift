package import TrackingCore

/// An event that contains its marker, usually once, sometimes so often that its line is longer than a page of the database.
package struct MarkedEvent: TrackingEvent {
    package static let name = "crash-marker"

    let markers: [String]

    /// The marker of the event.
    package var marker: Marker? { markers.first.flatMap { Marker($0) } }

    /// Creates the event of a marker.
    package init(_ marker: Marker) {
        markers = Array(repeating: "\(marker)", count: marker.number.isMultiple(of: 32) ? 150 : 1)
    }

    /// The marker of a recorded event; nil for another event.
    package static func marker(of container: RecordedContainer) -> Marker? {
        guard container.name == name, case .array(let markers)? = container.json["event"]?["value"]?["markers"]
        else { return nil }
        return markers.first?.stringValue.flatMap { Marker($0) }
    }
}
