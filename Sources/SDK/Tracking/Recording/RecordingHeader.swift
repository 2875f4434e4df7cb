internal import JSONLines

/// The first line of a recording.
package struct RecordingHeader: Sendable, Equatable {
    /// What tells a recording from all other files.
    private static let format = "swift-tracking"
    /// The format that this version writes, and the newest one it reads.
    package static let version: Int64 = 1

    /// The SDK that wrote it.
    package let sdk: String
    /// The app and its version.
    package let app: String

    /// The header of what this version writes.
    init(app: String) {
        sdk = TrackingContext.sdk
        self.app = app
    }

    /// Reads the first line of a file.
    ///
    /// - Parameter path: The file's name for messages.
    /// - Throws: ``RecordingError``: `notARecording`, `newerVersion`.
    package init(line: [UInt8], path: String) throws(RecordingError) {
        guard let json = try? JSONParser.parse(line), json["recording"]?.stringValue == Self.format,  // nil: no JSON
            let version = json["version"]?.integerValue
        else { throw .notARecording(path) }
        guard version <= Self.version else {
            throw RecordingError(
                .newerVersion,
                "\(path) is a recording of version \(version), and this program reads up to \(Self.version): update it")
        }
        guard let sdk = json["sdk"]?.stringValue, let app = json["app"]?.stringValue else {
            throw .notARecording(path)
        }
        self.sdk = sdk
        self.app = app
    }

    var line: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("recording")
        json.string(Self.format)
        json.key("version")
        json.integer(Self.version)
        json.key("sdk")
        json.string(sdk)
        json.key("app")
        json.string(app)
        json.endObject()
        return json.bytes
    }
}
