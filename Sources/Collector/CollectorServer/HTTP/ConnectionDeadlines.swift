#if Collector
    internal import DeliveryProtocol
    internal import HTTPTypes
    internal import JSONLines
    internal import NIOCore
    internal import NIOHTTP1
    internal import NIOHTTPTypes

    /// Ends requests that arrive too slowly: of a connection's next request the header, then the body. Answers 408 if nothing was
    /// answered yet, and closes the connection. Answers `Expect: 100-continue`, too.
    ///
    /// It is two handlers: this one is after the HTTP decoder; a second one, before all others, sees the first byte of a header.
    final class ConnectionDeadlines: ChannelDuplexHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPRequestPart
        typealias InboundOut = HTTPRequestPart
        typealias OutboundIn = HTTPResponsePart
        typealias OutboundOut = HTTPResponsePart

        private enum Phase {
            /// Between two requests. The server's idle timeout counts here.
            case idle
            case header
            case body
            /// The request has arrived whole.
            case answering
        }

        private let headerTimeout: TimeAmount
        private let bodyTimeout: TimeAmount
        private var phase = Phase.idle
        /// How many requests have begun, answers have begun, and answers are whole.
        private var (requests, answers, answered) = (0, 0, 0)
        /// What is said to bytes that are no HTTP, when the requests before them are answered.
        private var refusal: DeliveryProblem?
        /// When the request must have come further; nil if nothing is awaited.
        private var deadline: NIODeadline?
        /// One timer for the life of the connection: to cancel one for each request would cost more than to let it run out.
        private var timer: Scheduled<Void>?

        init(header: Duration, body: Duration) {
            (headerTimeout, bodyTimeout) = (TimeAmount(header), TimeAmount(body))
        }

        func handlerAdded(context: ChannelHandlerContext) {
            let first = FirstByte { [self] in headerBegins(context) }
            // The pipeline is being set up: nothing is in it that could refuse a handler.
            try? context.pipeline.syncOperations.addHandler(first, position: .first)
        }

        func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

        func channelInactive(context: ChannelHandlerContext) {
            timer?.cancel()
            cutBody(context)
            context.fireChannelInactive()
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case .inputClosed? = event as? ChannelEvent { cutBody(context) }
            context.fireUserInboundEventTriggered(event)
        }

        /// Ends a body that has not arrived whole with an error. The server takes the end of a connection for the end of a body:
        /// without the error, the lines that have come would be stored as the batch.
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
                expect(within: bodyTimeout, context)
                if head.headerFields[.expect]?.lowercased() == "100-continue" {
                    context.writeAndFlush(wrapOutboundOut(.head(.init(status: .continue))), promise: nil)
                }
            case .body: break
            case .end:
                deadline = nil
                phase = answered < requests ? .answering : .idle
            }
            context.fireChannelRead(data)
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            context.write(data, promise: promise)
            switch unwrapOutboundIn(data) {
            case .head: answers += 1
            case .body: break
            case .end:
                answered += 1
                if phase == .answering, answered == requests { phase = .idle }
                if let refusal { refuse(refusal, context) }
            }
        }

        private func expect(within time: TimeAmount, _ context: ChannelHandlerContext) {
            let end = NIODeadline.now() + time
            deadline = end
            if timer == nil { setTimer(end, context) }
        }

        /// Sets the timer, never further ahead than the shorter timeout: so it is early enough for what is awaited next.
        private func setTimer(_ latest: NIODeadline, _ context: ChannelHandlerContext) {
            let shorter = headerTimeout < bodyTimeout ? headerTimeout : bodyTimeout
            let longest = NIODeadline.now() + shorter
            let time = latest < longest ? latest : longest
            timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: time) { [self] in
                timer = nil
                guard let deadline else { return }
                if deadline > NIODeadline.now() { setTimer(deadline, context) } else { end(context) }
            }
        }

        /// Bytes that are no HTTP. They end the connection: nothing says where the next request begins.
        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            guard let error = error as? HTTPParserError else {
                context.fireErrorCaught(error)
                return
            }
            // What follows a request that said `Connection: close`: its answer ends the connection.
            if error == .closedConnection, answered < requests { return }
            deadline = nil
            refuse(
                DeliveryProblem(.malformed, "the request is no valid HTTP/1.1, or its header is over 32 KiB"), context)
        }

        private func end(_ context: ChannelHandlerContext) {
            guard isTurn else {
                // Who waits for answers may be held up by us.
                expect(within: phase == .header ? headerTimeout : bodyTimeout, context)
                return
            }
            let what = phase == .header ? "header" : "body"
            refuse(
                DeliveryProblem(.timeout, "the request's \(what) did not arrive in time: send it again, faster"),
                context)
        }

        /// The number of the request that is being read.
        private var current: Int { phase == .body ? requests : requests + 1 }
        /// Whether all requests before the one that is being read are answered.
        private var isTurn: Bool { answered >= current - 1 }

        /// Answers the request that is being read, unless somebody has, and closes the connection; when it is its turn.
        private func refuse(_ problem: DeliveryProblem, _ context: ChannelHandlerContext) {
            guard isTurn else {
                refusal = problem
                return
            }
            refusal = nil
            if answers < current { answer(problem, context) }
            // The body, if it was being read, is cut by that.
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

    /// Says when bytes arrive, before they are decoded.
    private final class FirstByte: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let arrived: () -> Void

        init(_ arrived: @escaping () -> Void) { self.arrived = arrived }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            arrived()
            context.fireChannelRead(data)
        }
    }

    @available(*, unavailable)
    extension FirstByte: Sendable {}
#endif
