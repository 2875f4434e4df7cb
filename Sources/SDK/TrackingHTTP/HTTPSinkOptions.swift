public import DeliveryHTTP

extension HTTPSink {
    /// Options of the requests.
    public struct Options: Sendable {
        /// The maximum time for connecting, and the maximum time without progress. Whole seconds, at least 1. Default
        /// 30 s. Waiting for a network does not count. ``/TrackingCore/FlushPolicy/deadline`` limits the whole delivery.
        public var timeout: Duration
        /// Whether cellular networks are used. Default true. No effect on Linux.
        public var allowsCellularAccess: Bool
        /// Whether networks in Low Data Mode are used. Default true: batches are small, and events of users who always
        /// use Low Data Mode would never arrive otherwise. No effect on Linux.
        public var allowsConstrainedNetworkAccess: Bool
        /// The path of certificates in PEM format, which are trusted instead of the system's. Default nil: on Linux, the
        /// environment (`SSL_CERT_FILE`, `SSL_CERT_DIR`) can also replace the system's. Not supported on Apple systems, see
        /// <doc:Delivering>. No effect on a transport of your own.
        public var certificates: String?
        /// Sends the requests. Default nil: ``/DeliveryHTTP/DeliveryTransport/system(allowsCellularAccess:allowsConstrainedNetworkAccess:)``
        /// with the options above. They have no effect on a transport of your own.
        public var transport: (any DeliveryTransport)?

        /// Makes options with default values.
        public init(
            timeout: Duration = .seconds(30), allowsCellularAccess: Bool = true,
            allowsConstrainedNetworkAccess: Bool = true, certificates: String? = nil,
            transport: (any DeliveryTransport)? = nil
        ) {
            self.timeout = timeout
            self.allowsCellularAccess = allowsCellularAccess
            self.allowsConstrainedNetworkAccess = allowsConstrainedNetworkAccess
            self.certificates = certificates
            self.transport = transport
        }

        /// The transport of these options.
        ///
        /// - Throws: ``/DeliveryHTTP/DeliverySetupError`` with the code `invalidCertificates`.
        func makeTransport() throws(DeliverySetupError) -> any DeliveryTransport {
            if let transport { return transport }
            if let certificates { return try SystemDeliveryTransport(trusting: certificates) }
            try SystemDeliveryTransport.checkEnvironment()
            return .system(
                allowsCellularAccess: allowsCellularAccess,
                allowsConstrainedNetworkAccess: allowsConstrainedNetworkAccess)
        }

        /// 30 seconds, all networks, the system's HTTP client.
        public static let standard = Options()
    }
}
