/// A request to delete a user's events, for a sink: see ``EventStore/erase(_:device:for:)``.
public struct ErasureRequest: Hashable, Sendable {
    /// The request's id, 32 hexadecimal digits: the same at each attempt, and for each sink.
    public let id: String
    /// The values of `user_id` to delete: the user's, then those of anonymous people who turned out to be this user.
    public let userIDs: [String]
    /// The installs of the log, oldest first: see <doc:Generations>.
    public let installs: [Install]
    /// The checkpoint of the sink's last delivery; nil before the first.
    public let checkpoint: String?
    /// The lease under which the sink is called; nil without a log.
    public let token: LeaseToken?

    /// The numbers of one install.
    public struct Install: Hashable, Sendable {
        /// `install_id` in the lines.
        public let installID: String
        /// The secret of the install, see ``EventBatch/secret``. Send it over TLS only, and never write it to a log.
        public let secret: String
        /// The highest number that the install had given out when the erasure began. Later events of the user stay.
        public let through: Int64
        /// The numbers of the erased events, as far as the log had them, in order.
        public let numbers: [ClosedRange<Int64>]
        /// Whether the log adopted ``installID`` from recorded events: see ``EventBatch/isAdopted``.
        public let isAdopted: Bool

        /// Makes the numbers of an install.
        public init(
            installID: String, secret: String, through: Int64, numbers: [ClosedRange<Int64>], isAdopted: Bool = false
        ) {
            self.installID = installID
            self.secret = secret
            self.through = through
            self.numbers = numbers
            self.isAdopted = isAdopted
        }
    }

    /// Makes a request without a log, for tests of a sink.
    ///
    /// - Parameter userIDs: At least one.
    public init(userIDs: [String], installs: [Install] = [], checkpoint: String? = nil, token: LeaseToken? = nil) {
        self.init(id: SealedBatch.newID(), userIDs: userIDs, installs: installs, checkpoint: checkpoint, token: token)
    }

    init(id: String, userIDs: [String], installs: [Install], checkpoint: String? = nil, token: LeaseToken? = nil) {
        self.id = id
        self.userIDs = userIDs
        self.installs = installs
        self.checkpoint = checkpoint
        self.token = token
    }

    /// The request for a sink that is called under a lease.
    package func under(_ lease: DeliveryLease, checkpoint: String?) -> ErasureRequest {
        ErasureRequest(
            id: id, userIDs: userIDs, installs: installs, checkpoint: checkpoint,
            token: LeaseToken(series: lease.series, number: lease.token))
    }
}

extension ErasureRequest.Install: CustomReflectable, CustomStringConvertible {
    /// The install's id and numbers.
    public var description: String { "install \(installID), numbers \(numbers) of 1 to \(through)" }

    /// A mirror without ``secret``.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["installID": installID, "through": through, "numbers": numbers] as KeyValuePairs<String, Any>)
    }
}
