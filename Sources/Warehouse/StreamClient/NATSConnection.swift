internal import CNATS
internal import Foundation

/// A connection to a cluster of NATS servers. It reconnects by itself. Thread-safe; each call blocks its thread.
final class NATSConnection: @unchecked Sendable {  // libnats locks its connections
    /// A received message.
    struct Message {
        var headers: [String: String]
        var data: [UInt8]

        /// The status of a response without a payload, such as 404 or 503.
        var status: Int? { headers["Status"].flatMap { Int($0) } }
    }

    private let connection: OpaquePointer
    /// The servers without user and password, for messages.
    let address: String

    /// Connects.
    ///
    /// - Throws: ``StreamError``: `unavailable`, `rejected`, `invalid-address`.
    init(_ options: JetStream.Options) throws(StreamError) {
        address = Self.withoutSecrets(options.servers)
        var made: OpaquePointer?
        guard natsOptions_Create(&made) == NATS_OK, let made else {
            throw StreamError(.unavailable, "cannot start the NATS client: out of memory")
        }
        defer { natsOptions_Destroy(made) }
        let servers = options.servers.split(separator: ",").map { String($0).trimmingCharacters(in: .whitespaces) }
        guard !servers.isEmpty, servers.allSatisfy({ $0.hasPrefix("nats://") || $0.hasPrefix("tls://") }) else {
            throw StreamError(
                .invalidAddress, "invalid stream '\(address)': pass nats://HOST:PORT, several separated by commas")
        }
        var status = Self.set(servers, made)
        func check(_ next: natsStatus) { if status == NATS_OK { status = next } }
        check(natsOptions_SetName(made, options.name))
        check(natsOptions_SetTimeout(made, 5000))
        check(natsOptions_SetMaxReconnect(made, -1))
        check(natsOptions_SetReconnectWait(made, 250))
        check(natsOptions_SetPingInterval(made, 5000))
        check(natsOptions_SetFailRequestsOnDisconnect(made, true))
        if servers.contains(where: { $0.hasPrefix("tls://") }) { check(natsOptions_SetSecure(made, true)) }
        if let authority = options.authority { check(natsOptions_LoadCATrustedCertificates(made, authority)) }
        if let certificate = options.certificate, let key = options.key {
            check(natsOptions_LoadCertificatesChain(made, certificate, key))
        }
        if let credentials = options.credentials {
            check(natsOptions_SetUserCredentialsFromFiles(made, credentials, nil))
        }
        guard status == NATS_OK else {
            throw StreamError(
                .invalidAddress, "cannot use the stream \(address): \(Self.detail(status)); correct the options")
        }
        var connected: OpaquePointer?
        let result = natsConnection_Connect(&connected, made)
        guard result == NATS_OK, let connected else {
            throw Self.failure(result, action: "connect to", address: address)
        }
        connection = connected
    }

    deinit {
        natsConnection_Close(connection)
        natsConnection_Destroy(connection)
    }

    private static func set(_ servers: [String], _ options: OpaquePointer) -> natsStatus {
        let texts = servers.map { strdup($0) }
        defer { for text in texts { free(text) } }
        var pointers = texts.map { UnsafePointer($0) }
        return natsOptions_SetServers(options, &pointers, Int32(pointers.count))
    }

    /// Addresses without user and password.
    static func withoutSecrets(_ servers: String) -> String {
        servers.split(separator: ",").map { server in
            guard let at = server.lastIndex(of: "@"), let scheme = server.range(of: "://") else {
                return String(server)
            }
            return String(server[..<scheme.upperBound] + server[server.index(after: at)...])
        }.joined(separator: ",")
    }

    /// The largest message that the servers accept, with its header fields, in bytes.
    var maximumPayload: Int { Int(natsConnection_GetMaxPayload(connection)) }

    /// Sends a request and waits for one response.
    ///
    /// - Throws: ``StreamError``: `unavailable`, also if no server handles the subject at the moment.
    func request(_ subject: String, _ data: [UInt8], timeout: Duration) throws(StreamError) -> Message {
        var reply: OpaquePointer?
        let status = data.withUnsafeBytes { bytes in
            natsConnection_Request(
                &reply, connection, subject, bytes.baseAddress, Int32(bytes.count), timeout.milliseconds)
        }
        guard status == NATS_OK, let reply else {
            throw Self.failure(status, action: "get a response from", address: address)
        }
        defer { natsMsg_Destroy(reply) }
        return Self.message(reply)
    }

    /// Publishes without waiting.
    ///
    /// - Throws: ``StreamError``: `unavailable`.
    func publish(
        _ subject: String, reply: String, headers: [(String, String)] = [], _ data: [UInt8]
    ) throws(StreamError) {
        var made: OpaquePointer?
        var status = data.withUnsafeBytes { bytes in
            natsMsg_Create(&made, subject, reply, bytes.baseAddress, Int32(bytes.count))
        }
        defer { natsMsg_Destroy(made) }
        for (name, value) in headers where status == NATS_OK { status = natsMsgHeader_Set(made, name, value) }
        if status == NATS_OK { status = natsConnection_PublishMsg(connection, made) }
        guard status == NATS_OK else { throw Self.failure(status, action: "publish to", address: address) }
    }

    /// A random subject on which only this connection receives.
    func inbox() throws(StreamError) -> String {
        var made: UnsafeMutablePointer<natsInbox>?
        guard natsInbox_Create(&made) == NATS_OK, let made else {
            throw StreamError(.unavailable, "cannot make a reply subject: out of memory")
        }
        defer { natsInbox_Destroy(made) }
        return String(cString: made)
    }

    /// Receives the messages of a subject.
    func subscribe(_ subject: String) throws(StreamError) -> Subscription {
        var made: OpaquePointer?
        let status = natsConnection_SubscribeSync(&made, connection, subject)
        guard status == NATS_OK, let made else { throw Self.failure(status, action: "subscribe at", address: address) }
        // The number of messages is limited by what is requested.
        natsSubscription_SetPendingLimits(made, -1, -1)
        return Subscription(made, address)
    }

    final class Subscription {
        private let subscription: OpaquePointer
        private let address: String

        fileprivate init(_ subscription: OpaquePointer, _ address: String) {
            self.subscription = subscription
            self.address = address
        }

        deinit { natsSubscription_Destroy(subscription) }

        /// The next message with its subject; nil after the timeout.
        ///
        /// - Throws: ``StreamError``: `unavailable`.
        func next(timeout: Duration) throws(StreamError) -> (subject: String, message: Message)? {
            var received: OpaquePointer?
            let status = natsSubscription_NextMsg(&received, subscription, max(1, timeout.milliseconds))
            if status == NATS_TIMEOUT { return nil }
            // A request without a responder ends here, too.
            guard status == NATS_OK || status == NATS_NO_RESPONDERS else {
                throw NATSConnection.failure(status, action: "receive from", address: address)
            }
            guard let received else { return ("", Message(headers: ["Status": "503"], data: [])) }
            defer { natsMsg_Destroy(received) }
            return (String(cString: natsMsg_GetSubject(received)), NATSConnection.message(received))
        }
    }

    private static func message(_ message: OpaquePointer) -> Message {
        var headers: [String: String] = [:]
        var keys: UnsafeMutablePointer<UnsafePointer<CChar>?>?
        var count: Int32 = 0
        if natsMsgHeader_Keys(message, &keys, &count) == NATS_OK, let keys {
            for index in 0..<Int(count) {
                guard let key = keys[index] else { continue }
                var value: UnsafePointer<CChar>?
                if natsMsgHeader_Get(message, key, &value) == NATS_OK, let value {
                    headers[String(cString: key)] = String(cString: value)
                }
            }
            free(keys)
        }
        let length = Int(natsMsg_GetDataLength(message))
        guard length > 0, let data = natsMsg_GetData(message) else { return Message(headers: headers, data: []) }
        return Message(
            headers: headers, data: Array(UnsafeRawBufferPointer(start: UnsafeRawPointer(data), count: length)))
    }

    private static func text(_ status: natsStatus) -> String {
        String(cString: natsStatus_GetText(status)).lowercased()
    }

    /// The text of this thread's last error, without the place in the library's source.
    private static func detail(_ status: natsStatus) -> String {
        guard let last = nats_GetLastError(nil) else { return text(status) }
        let full = String(cString: last)
        guard full.hasPrefix("("), let place = full.range(of: "): ") else {
            return full.isEmpty ? text(status) : full
        }
        return String(full[place.upperBound...])
    }

    private static func failure(_ status: natsStatus, action: String, address: String) -> StreamError {
        switch status {
        case NATS_CONNECTION_AUTH_FAILED, NATS_NOT_PERMITTED:
            StreamError(.rejected, "cannot \(action) \(address): \(text(status)); check user and credentials")
        case NATS_SSL_ERROR, NATS_SECURE_CONNECTION_REQUIRED, NATS_SECURE_CONNECTION_WANTED:
            StreamError(
                .rejected,
                """
                cannot \(action) \(address): \(detail(status)); check that the servers use TLS, that their \
                certificates are for these hosts, and the certificate authority
                """)
        case NATS_PROTOCOL_ERROR:
            // With TLS 1.3 a client learns only from the closed connection that its certificate is rejected.
            StreamError(
                .unavailable,
                """
                cannot \(action) \(address): the server closed the connection, or is not a NATS server; if it verifies \
                clients, pass a certificate that it accepts; its log has the cause
                """)
        case NATS_NO_RESPONDERS:
            StreamError(
                .unavailable,
                "cannot \(action) \(address): JetStream does not answer; enable it, or wait until the cluster has a leader"
            )
        default:
            StreamError(.unavailable, "cannot \(action) \(address): \(text(status)); check that the servers run")
        }
    }
}

extension Duration {
    fileprivate var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
