#if os(Linux)
    internal import CLibcurl
    internal import Foundation
    internal import Primitives

    /// Sends requests with the system's libcurl. Each request has a thread of its own.
    ///
    /// Linux only. FoundationNetworking's `URLSession` is too unreliable for an SDK there, as measured with Swift 6.3.1
    /// and libcurl 7.88.1:
    ///
    /// - It crashes the process ("Transfer completed, but there's no response") when a server closes the connection
    ///   inside a response's header, after a whole line:
    ///   https://github.com/swiftlang/swift-corelibs-foundation/issues/5285
    /// - It keeps a core busy while it waits for a response: 1.9 s of CPU in 2 s.
    /// - It never returns a 401 with `WWW-Authenticate: Basic`, not even after a timeout.
    /// - It needs 8 s of CPU for a response with 20,000 fields.
    ///
    /// libcurl itself has none of these problems. FoundationNetworking links the same library, so it is available
    /// wherever `URLSession` works.
    ///
    /// **Limits.** The system's libcurl must be 7.68 or newer, see ``init(certificates:)``. Before 7.87, a name lookup
    /// blocks its thread until the resolver gives up, even after a timeout or a cancellation. The policies for cellular
    /// networks and Low Data Mode have no effect. The environment sets proxies (`https_proxy`), which are never used for a
    /// loopback address, and the trusted certificates (`SSL_CERT_FILE`, `SSL_CERT_DIR`).
    ///
    /// **Progress** is what the peer's system has acknowledged, not what this system's buffers have accepted.
    ///
    /// Thread-safe. At most one connection is kept open between requests; it uses neither a thread nor CPU.
    package final class LibcurlTransport: DeliveryTransport {
        private let trusted: TrustedCertificates
        private let idle = Locked<CurlSession?>(nil)

        /// Makes a transport.
        ///
        /// - Parameter certificates: A file with certificates in PEM format, trusted instead of all others.
        /// - Returns: nil without libcurl 7.68 or newer.
        package init?(certificates: String? = nil) {
            guard libcurl_is_available() != 0 else { return nil }
            trusted = certificates.map(TrustedCertificates.only) ?? .ofEnvironment
        }

        package var reportsProgress: Bool { true }

        package func send(_ request: DeliveryRequest) async throws(DeliveryTransportError) -> DeliveryResponse {
            guard let session = takeSession() else {
                throw DeliveryTransportError(.other, "libcurl is out of memory")
            }
            let exchange = CurlExchange(request, session, trusted: trusted)
            let result = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    exchange.begin { result, isReusable in
                        if isReusable { self.keep(session) }
                        continuation.resume(returning: result)
                    }
                }
            } onCancel: {
                exchange.cancel()
            }
            return try result.get()
        }

        private func keep(_ session: CurlSession) {
            // An earlier idle session is closed after the lock is released.
            _ = idle.withLock { idle in
                defer { idle = session }
                return idle
            }
        }

        private func takeSession() -> CurlSession? {
            let kept = idle.withLock { idle in
                defer { idle = nil }
                return idle
            }
            return kept ?? CurlSession()
        }
    }

    /// The certificates of authorities that a transport trusts.
    struct TrustedCertificates {
        /// nil for the system's, or for none if ``isOnly``.
        let file: String?
        let folder: String?
        let isOnly: Bool

        /// The system's, unless the environment names others, with OpenSSL's variables:
        /// https://docs.openssl.org/3.0/man3/SSL_CTX_load_verify_locations/
        static let ofEnvironment = TrustedCertificates(
            file: variable("SSL_CERT_FILE"), folder: variable("SSL_CERT_DIR"), isOnly: false)

        static func only(_ file: String) -> Self { TrustedCertificates(file: file, folder: nil, isOnly: true) }

        private static func variable(_ name: String) -> String? {
            ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    /// libcurl's connections, for one exchange at a time.
    private final class CurlSession: @unchecked Sendable {  // only `libcurl_cancel` is called while an exchange runs
        let pointer: OpaquePointer

        init?() {
            guard let pointer = libcurl_session_create() else { return nil }
            self.pointer = pointer
        }

        deinit { libcurl_session_destroy(pointer) }
    }

    /// A request on its own thread.
    private final class CurlExchange: Sendable {
        typealias Outcome = Result<DeliveryResponse, DeliveryTransportError>
        typealias Completion = @Sendable (Outcome, _ isReusable: Bool) -> Void

        private struct State {
            var completion: Completion?
            var isCancelled = false
            /// Whether this exchange uses the session.
            var isRunning = false
        }

        private let request: DeliveryRequest
        private let session: CurlSession
        private let trusted: TrustedCertificates
        private let state = Locked(State())

        init(_ request: DeliveryRequest, _ session: CurlSession, trusted: TrustedCertificates) {
            self.request = request
            self.session = session
            self.trusted = trusted
        }

        /// Calls `completion` once, when the exchange has ended or is canceled.
        func begin(_ completion: @escaping Completion) {
            let isCancelled = state.withLock { state in
                if !state.isCancelled {
                    state.completion = completion
                    state.isRunning = true
                }
                return state.isCancelled
            }
            if isCancelled { return completion(.failure(.cancelled), true) }
            let thread = Thread { self.run() }
            thread.name = "event delivery"
            thread.stackSize = 512 << 10
            thread.start()
        }

        /// Resumes the caller. The thread then ends the connection and itself.
        func cancel() {
            state.withLock { state in
                state.isCancelled = true
                // Another exchange may use the session afterwards.
                if state.isRunning { libcurl_cancel(session.pointer) }
            }
            finish(.failure(.cancelled), isReusable: false)
        }

        private func finish(_ outcome: Outcome, isReusable: Bool) {
            let completion = state.withLock { state in
                defer { state.completion = nil }
                return state.completion
            }
            completion?(outcome, isReusable)
        }

        /// What libcurl's functions receive.
        private struct Context {
            var reader: ResponseReader
            let request: DeliveryRequest
        }

        private func run() {
            var context = Context(reader: ResponseReader(request), request: request)
            var result = libcurl_result()
            let code = withUnsafeMutablePointer(to: &context) { exchange($0, &result) }
            if result.is_acknowledged_known != 0 { request.noteAcknowledged?(result.acknowledged_count) }
            let isReusable = state.withLock { state in
                state.isRunning = false
                return !state.isCancelled
            }
            finish(outcome(code, result, reader: context.reader), isReusable: isReusable && code != LIBCURL_DENIED)
        }

        private func exchange(_ context: UnsafeMutablePointer<Context>, _ result: inout libcurl_result) -> Int32 {
            // An empty value makes libcurl omit its own field.
            let lines = request.fields.map { "\($0.name): \($0.value)" } + ["Expect:"]
            let fields = lines.map { UnsafePointer(strdup($0)) }
            let files = [trusted.file, trusted.folder].map { $0.map { UnsafePointer(strdup($0)) } ?? nil }
            defer { for text in fields + files { free(UnsafeMutablePointer(mutating: text)) } }
            let seconds = max(1, Int(request.timeout.components.seconds))
            return request.body.withUnsafeBytes { body in
                fields.withUnsafeBufferPointer { fields in
                    request.url.absoluteString.withCString { url in
                        var call = libcurl_request()
                        call.url = url
                        call.is_get = request.method == .get ? 1 : 0
                        call.fields = fields.baseAddress
                        call.field_count = fields.count
                        call.body = body.baseAddress
                        call.body_count = body.count
                        call.timeout_seconds = seconds
                        // Never send the key to a proxy unencrypted.
                        let isPlain = request.url.scheme == "http"
                        call.ignores_proxy = isPlain || DeliveryEndpoint.isLoopback(request.url.host ?? "") ? 1 : 0
                        call.certificates = files[0]
                        call.certificate_folder = files[1]
                        call.trusts_only_these = trusted.isOnly ? 1 : 0
                        call.context = UnsafeMutableRawPointer(context)
                        if request.mayContinue != nil {
                            call.may_continue = { context, acknowledged in
                                guard let request = context?.assumingMemoryBound(to: Context.self).pointee.request
                                else { return 1 }
                                if acknowledged >= 0 { request.noteAcknowledged?(acknowledged) }
                                return request.mayContinue?() == false ? 0 : 1
                            }
                        }
                        call.receive_header = { context, bytes, count in
                            CurlExchange.receive(context, bytes: bytes, count: count) { $0.receive(headerLine: $1) }
                        }
                        call.receive_body = { context, bytes, count in
                            CurlExchange.receive(context, bytes: bytes, count: count) { $0.receive(body: $1) }
                        }
                        return libcurl_exchange(session.pointer, &call, &result)
                    }
                }
            }
        }

        private static func receive(
            _ context: UnsafeMutableRawPointer?, bytes: UnsafePointer<CChar>?, count: Int,
            _ body: (inout ResponseReader, UnsafeRawBufferPointer) -> Bool
        ) -> Int32 {
            guard let context = context?.assumingMemoryBound(to: Context.self) else { return 0 }
            return body(&context.pointee.reader, UnsafeRawBufferPointer(start: bytes, count: count)) ? 1 : 0
        }

        private func outcome(_ code: Int32, _ result: libcurl_result, reader: ResponseReader) -> Outcome {
            if code == LIBCURL_CANCELLED { return .failure(.cancelled) }
            if code == LIBCURL_DENIED { return .failure(.denied) }
            if let failure = reader.failure { return .failure(failure) }
            let isSecure = request.url.scheme == "https" && result.status == 0
            // libcurl reports an error when the reader stops early.
            if reader.isCut, result.status >= 200 { return .success(reader.response(status: result.status)) }
            if let error = CurlError.error(code, result, after: request.timeout, isSecure: isSecure) {
                return .failure(error)
            }
            // libcurl treats the end of the connection as the end of the header.
            guard reader.hasHeader, result.status >= 200 else {
                return .failure(.init(.connectionLost, "the connection was closed inside the response's header"))
            }
            return .success(reader.response(status: result.status))
        }
    }

    /// The meaning of libcurl's codes: https://curl.se/libcurl/c/libcurl-errors.html
    enum CurlError {
        static func error(
            _ code: Int32, _ result: libcurl_result, after timeout: Duration, isSecure: Bool
        ) -> DeliveryTransportError? {
            if code == 0 { return nil }
            // The response is the proxy's if it has declined to connect.
            if result.proxy_status >= 300 { return proxyError(result.proxy_status) }
            if result.lacks_client_certificate != 0 {
                return .init(.insecure, "the server requires a certificate of the client, which is not supported")
            }
            return switch code {
            case 5: .init(.unknownHost, "cannot resolve the name of the proxy: check https_proxy")
            case 6: .init(.unknownHost, "cannot resolve the name of the host")
            case 7: .init(.cannotConnect, "cannot connect to the server")
            case 28: .init(.timedOut, "no data was received or acknowledged for \(timeout.components.seconds) s")
            case 77:
                .init(
                    .insecure, "cannot read the trusted certificates: check SSL_CERT_FILE, SSL_CERT_DIR or the option")
            case 35, 53, 54, 58, 59, 60, 64, 66, 80, 82, 83, 90, 91, 98:
                .init(.insecure, "cannot make a secure connection: check the certificate (libcurl \(code))")
            case 52: .init(.connectionLost, "the connection was closed without a response")
            // The alert of a server that requires a certificate may be lost with the connection.
            case 55 where isSecure, 56 where isSecure:
                .init(
                    .connectionLost,
                    "the connection was closed too early; the server may require a certificate of the client (libcurl \(code))"
                )
            case 16, 18, 55, 56, 92: .init(.connectionLost, "the connection was closed too early (libcurl \(code))")
            case 97: .init(.cannotConnect, "cannot connect to the proxy: check https_proxy")
            case 1, 8, 23, 61: .init(.malformed, "the response is not HTTP (libcurl \(code))")
            default: .init(.other, "libcurl failed with error \(code)")
            }
        }

        private static func proxyError(_ status: Int) -> DeliveryTransportError {
            status == 407
                ? .init(.cannotConnect, "the proxy answered 407: set user name and password in https_proxy")
                : .init(.cannotConnect, "the proxy answered \(status) to CONNECT: check https_proxy and its rules")
        }
    }
#endif
