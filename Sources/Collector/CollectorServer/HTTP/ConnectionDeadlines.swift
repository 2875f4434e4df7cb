internal import DeliveryProtocol
internal import HTTPTypes
internal import JSONLines
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes
internal import NIOHTTPTypesHTTP1

/// Times out slow requests: first the header of a connection's next request, then its body, which has less time until
/// the request has named a key. Responds with 408 if no response has started, and closes the connection. Also answers
/// `Expect: 100-continue` in its turn, and rejects a request without a single `Host` (RFC 9112, 3.2).
///
/// There are three handlers: this one follows the HTTP decoder; ``PacedInput``, before all others, sees the first byte
/// of a header; ``HostCheck`` sees the header's fields as they were sent.
final class ConnectionDeadlines: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private enum Phase {
        /// Between two requests. The server's idle timeout applies.
        case idle
        case header
        case body
        /// The whole request has arrived.
        case answering
    }

    private let headerTimeout: TimeAmount
    private let bodyTimeout: TimeAmount
    private let keylessTimeout: TimeAmount
    private let hasKey: @Sendable (HTTPRequest) -> Bool
    /// The request whose body has the time of those without a key. Its key is checked when that time ends, because most
    /// bodies have arrived by then.
    private var unproven: HTTPRequest?
    private var input: PacedInput?
    /// The bytes of the current body that have not arrived; 0 if its length is unknown.
    private var bodyLeft = 0
    private var phase = Phase.idle
    /// The numbers of requests that started, of responses that started, and of responses that are complete.
    private var (requests, answers, answered) = (0, 0, 0)
    /// The response to bytes that are not HTTP, sent after the responses to earlier requests.
    private var refusal: DeliveryProblem?
    /// Whether the current request waits for `100 Continue`.
    private var isContinueDue = false
    /// When the current phase times out; nil if the connection waits for no input.
    private var deadline: NIODeadline?
    /// One timer for the lifetime of the connection. To cancel a timer for each request would cost more than to let
    /// one run out.
    private var timer: Scheduled<Void>?

    /// - Parameter hasKey: Whether the header of a request has a known key.
    init(
        header: Duration, body: Duration, keylessBody: Duration, hasKey: @escaping @Sendable (HTTPRequest) -> Bool
    ) {
        self.hasKey = hasKey
        headerTimeout = TimeAmount(header)
        bodyTimeout = TimeAmount(body)
        keylessTimeout = TimeAmount(min(body, keylessBody))
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let input = PacedInput { [self] in
            next
        } arrived: { [self] in
            headerBegins(context)
        }
        self.input = input
        let check = HostCheck { [self] in
            deadline = nil
            refuse(
                DeliveryProblem(.malformed, "the request must have one Host field; send the collector's name"), context)
        }
        let pipeline = context.pipeline.syncOperations
        do {
            try pipeline.addHandler(input, position: .first)
            try pipeline.addHandler(check, position: .before(pipeline.handler(type: HTTP1ToHTTPServerCodec.self)))
        } catch {
            // The pipeline is being set up, so this does not happen; a connection without the checks would be unsafe.
            context.close(promise: nil)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        input = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        cutBody(context)
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent { cutBody(context) }
        context.fireUserInboundEventTriggered(event)
    }

    /// Ends an incomplete body with an error. The server treats the end of a connection as the end of a body:
    /// without the error, the received lines would be stored as the batch.
    private func cutBody(_ context: ChannelHandlerContext) {
        guard phase == .body else { return }
        phase = .answering
        context.fireErrorCaught(ConnectionEnded())
    }

    private func headerBegins(_ context: ChannelHandlerContext) {
        guard phase == .idle else { return }
        phase = .header
        expect(within: headerTimeout, context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            phase = .body
            requests += 1
            unproven = head
            bodyLeft = head.headerFields.first(.contentLength).flatMap { Int($0) } ?? 0
            expect(within: keylessTimeout, context)
            isContinueDue = head.headerFields.first(.expect)?.lowercased() == "100-continue"
            writeContinue(context)
        case .body(let bytes): bodyLeft = max(0, bodyLeft - bytes.readableBytes)
        case .end:
            deadline = nil
            phase = answered < requests ? .answering : .idle
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        context.write(data, promise: promise)
        switch unwrapOutboundIn(data) {
        case .head:
            answers += 1
            if answers == requests { isContinueDue = false }
        case .body: break
        case .end:
            answered += 1
            writeContinue(context)
            if phase == .answering, answered == requests {
                phase = .idle
                input?.resume()
            }
            if let refusal { refuse(refusal, context) }
        }
    }

    /// What may be decoded next.
    private var next: PacedInput.Next {
        switch phase {
        case .answering: .nothing
        case .body where bodyLeft > 0: .body(bodyLeft)
        case .idle, .header, .body: .some
        }
    }

    /// Writes `100 Continue` if the current request waits for it and all earlier ones are answered.
    private func writeContinue(_ context: ChannelHandlerContext) {
        guard isContinueDue, answered == requests - 1 else { return }
        isContinueDue = false
        context.writeAndFlush(wrapOutboundOut(.head(.init(status: .continue))), promise: nil)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is KeyIsKnown else { return context.triggerUserOutboundEvent(event, promise: promise) }
        if phase == .body {
            unproven = nil
            expect(within: bodyTimeout, context)
        }
        promise?.succeed()
    }

    private func expect(within time: TimeAmount, _ context: ChannelHandlerContext) {
        let end = NIODeadline.now() + time
        deadline = end
        if timer == nil { setTimer(end, context) }
    }

    /// Sets the timer, at most the shorter timeout ahead, so that it is early enough for the next phase.
    private func setTimer(_ latest: NIODeadline, _ context: ChannelHandlerContext) {
        let longest = NIODeadline.now() + min(headerTimeout, keylessTimeout)
        let time = latest < longest ? latest : longest
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: time) { [self] in
            timer = nil
            guard let deadline else { return }
            if deadline > NIODeadline.now() { setTimer(deadline, context) } else { end(context) }
        }
    }

    /// Bytes that are not HTTP end the connection, because the start of the next request is unknown.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else {
            context.fireErrorCaught(error)
            return
        }
        // Bytes after a request with `Connection: close`: its response ends the connection.
        if error == .closedConnection, answered < requests { return }
        deadline = nil
        refuse(
            DeliveryProblem(
                .malformed, "the request is not valid HTTP/1.1, or its header exceeds 32 KiB; correct the request"),
            context)
    }

    private func end(_ context: ChannelHandlerContext) {
        guard isTurn else {
            // The collector itself may delay a client that waits for responses.
            expect(within: phase == .header ? headerTimeout : bodyTimeout, context)
            return
        }
        if phase == .body, let request = unproven, hasKey(request) {
            unproven = nil
            expect(within: bodyTimeout - keylessTimeout, context)
            return
        }
        let what = phase == .header ? "header" : "body"
        refuse(
            DeliveryProblem(
                .timeout, "the request's \(what) did not arrive in time; resend the request without pauses"),
            context)
    }

    /// The number of the request that is being read.
    private var current: Int { phase == .body ? requests : requests + 1 }
    /// Whether all requests before the current one are answered.
    private var isTurn: Bool { answered >= current - 1 }

    /// Responds to the current request, unless a response has started, and closes the connection. Waits for the
    /// request's turn.
    private func refuse(_ problem: DeliveryProblem, _ context: ChannelHandlerContext) {
        guard isTurn else {
            refusal = problem
            return
        }
        refusal = nil
        if answers < current { answer(problem, context) }
        // Closing truncates the body if it is still being read.
        context.close(promise: nil)
    }

    private func answer(_ problem: DeliveryProblem, _ context: ChannelHandlerContext) {
        var json = JSONWriter()
        problem.write(to: &json)
        let body = json.withUnsafeBytes { ByteBuffer(bytes: $0) }
        let head = HTTPResponse(
            status: .init(code: problem.code.status),
            headerFields: [
                .contentType: "application/problem+json", .contentLength: "\(body.readableBytes)",
                .connection: "close",
            ])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(body)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}

@available(*, unavailable)
extension ConnectionDeadlines: Sendable {}

/// Passes on requests with one `Host`; in HTTP/1.0, also those without. Discards what follows another one.
private final class HostCheck: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    private let failed: () -> Void
    private var hasFailed = false

    init(_ failed: @escaping () -> Void) { self.failed = failed }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasFailed else { return }
        if case .head(let head) = unwrapInboundIn(data) {
            let count = head.headers["host"].count
            hasFailed = count > 1 || count == 0 && head.version != .http1_0
        }
        if hasFailed { failed() } else { context.fireChannelRead(data) }
    }
}

@available(*, unavailable)
extension HostCheck: Sendable {}
