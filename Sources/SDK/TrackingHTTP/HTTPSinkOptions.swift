public import DeliveryHTTP

extension HTTPSink {
    /// How requests are sent.
    public struct Options: Sendable {
        /// How long connecting may take, and how long a request may make no progress. Whole seconds, at least 1. Default
        /// 30 s. Waiting for a network does not count. ``/TrackingCore/FlushPolicy/deadline`` limits the whole delivery.
        public var timeout: Duration
        /// Whether cellular networks are used. Default true. No effect on Linux.
        public var allowsCellularAccess: Bool
        /// Whether networks in Low Data Mode are used. Default true: a batch is small, and events of a user who always has
        /// Low Data Mode on would never arrive. No effect on Linux.
        public var allowsConstrainedNetworkAccess: Bool
        /// Sends the requests. Default nil: ``/DeliveryHTTP/DeliveryTransport/system(allowsCellularAccess:allowsConstrainedNetworkAccess:)``
        /// with the two policies above. They have no effect on a transport of your own.
        public var transport: (any DeliveryTransport)?

        /// Makes options; see each property.
        public init(
            timeout: Duration = .seconds(30), allowsCellularAccess: Bool = true,
            allowsConstrainedNetworkAccess: Bool = true, transport: (any DeliveryTransport)? = nil
        ) {
            self.timeout = timeout
            self.allowsCellularAccess = allowsCellularAccess
            self.allowsConstrainedNetworkAccess = allowsConstrainedNetworkAccess
            self.transport = transport
        }

        /// 30 seconds, all networks, the system's HTTP client.
        public static let standard = Options()
    }
}
