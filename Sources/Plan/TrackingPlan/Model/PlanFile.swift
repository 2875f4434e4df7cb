/// A file of a plan, read but not looked into.
public struct PlanFile: Hashable, Sendable {
    /// Its place within the folder: `events/search/1-0-0.json`.
    public let path: String
    /// Its content.
    public let bytes: [UInt8]

    /// Makes a file.
    public init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }
}
