/// Who uses a log: shared by all processes that use the log's identity.
public struct LogIdentity: Hashable, Sendable {
    /// The id of the device, which is the anonymous person's id.
    public var deviceID: String
    /// The user; nil before ``deviceID`` was identified.
    public var userID: String?
    /// The session that a reset has ended, so that no process continues it after a restart.
    public var endedSession: String?
    /// The number of the change, which the log assigns. The highest number is the newest identity.
    public package(set) var number: Int64

    /// Makes an identity that is not in a log yet.
    public init(deviceID: String, userID: String? = nil, endedSession: String? = nil, number: Int64 = 0) {
        self.deviceID = deviceID
        self.userID = userID
        self.endedSession = endedSession
        self.number = number
    }

    /// The person whose events are sent.
    public var person: String { userID ?? deviceID }

    // MARK: Before the answer

    /// The token of a person who has no id before the answer: a control character and a number, which identify no
    /// device. No line has it.
    package static func unnamed(_ number: Int64) -> String { "\u{2}\(number)" }

    /// Whether an id of a device or a session is the token of one that is not made yet.
    package static func isUnnamed(_ id: String) -> Bool { id.utf8.first == 2 }

    /// The number of the token; nil if the person has an id.
    package var unnamedNumber: Int64? { isUnnamed ? Int64(deviceID.dropFirst()) : nil }

    /// Whether the person has no id yet.
    package var isUnnamed: Bool { Self.isUnnamed(deviceID) }

    /// The device's id; nil if the person has none yet.
    package var drawnDeviceID: String? { isUnnamed ? nil : deviceID }
}
