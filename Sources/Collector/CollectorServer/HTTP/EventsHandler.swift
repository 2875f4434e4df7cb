internal import CollectorStore
internal import CoreMetrics
internal import DeliveryProtocol
internal import HTTPTypes
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTPTypes

/// A connection whose events ``EventsHandler`` answers directly; Hummingbird answers all other requests.
struct EventsConnection: ServerChildChannel {
    typealias Value = HTTP1Channel.Value
    let base: HTTP1Channel
    let collector: Collector

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let collector = collector
        return base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            // After the handler that tracks requests in progress: it closes idle connections, and drains.
            let pipeline = channel.pipeline.syncOperations
            let state = try pipeline.handler(type: HTTPConnectionStateHandler.self)
            try pipeline.addHandler(EventsHandler(collector), position: .after(state))
            return value
        }
    }

    /// Answers the other requests on the thread that reads their socket: a thread switch costs more than most of them.
    func handle(value: Value, logger: Logger) async {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else {
            return await base.handle(value: value, logger: logger)
        }
        let channel = value.channel
        let executor = EventLoopExecutor(
            channel.eventLoop, turns: collector.turns.turns(of: channel.eventLoop),
            address: collector.client(channel.clientAddress))
        await withTaskExecutorPreference(executor) {
            await base.handle(value: value, logger: logger)
        }
    }
}

/// Runs tasks on the thread of an event loop, in the turns of the client's address.
///
/// Not NIO's global executor: with that one, code that holds a lock across the start of a continuation, as swift-async-algorithms
/// does, waits for itself for ever.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class EventLoopExecutor: TaskExecutor {
    private let loop: any EventLoop
    private let turns: NIOLoopBound<LoopTurns>
    private let address: String?

    init(_ loop: any EventLoop, turns: NIOLoopBound<LoopTurns>, address: String?) {
        self.loop = loop
        self.turns = turns
        self.address = address
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { [self] in turns.value.add(Step(job: job, executor: self), of: address) }
    }

    private final class Step: Blocking {
        private let job: UnownedJob
        private let executor: EventLoopExecutor

        init(job: UnownedJob, executor: EventLoopExecutor) {
            self.job = job
            self.executor = executor
        }

        func run(isLate: Bool) { job.runSynchronously(on: executor.asUnownedTaskExecutor()) }
    }
}

/// Answers `POST /v1/events` on the event loop, and passes all other requests on.
///
/// A task, two streams and the thread switches between them would cost several times the work for a single event.
///
/// Responses keep the order of the requests: a request with events waits for the responses to all earlier requests,
/// and while it waits for the disk, or an earlier response waits for its client, no later request is read.
///
/// Validation blocks the event loop: about 2 ms for 500 lines. ``IntakeLimits`` allows five times as many; see ``LoopTurns``.
final class EventsHandler: ChannelDuplexHandler, RemovableChannelHandler, Blocking {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private enum Phase {
        /// Between two requests with events.
        case idle
        /// The body arrives.
        case body
        /// The store is processing the submission.
        case storing
        /// Answered before the body was complete: the rest of the body is discarded.
        case dropping
        /// The connection is being closed.
        case ended
    }

    private let route: EventsRoute
    private var collector: Collector { route.collector }
    private var phase = Phase.idle
    private var request: HTTPRequest?
    private var incoming: EventsRoute.Incoming?
    private var began = ContinuousClock.now
    /// The number of requests that were passed on and are not yet answered.
    private var passedOn = 0
    /// Request parts that arrived before their turn.
    private var held = CircularBuffer<HTTPRequestPart>()
    private var isReadHeld = false
    /// The bytes of responses that are not written to the socket yet.
    private var pending = 0
    /// Whether a request waits until the responses are written.
    private var isPaused = false
    /// Whether ``PendingAnswers`` knows the connection.
    private var isCounted = false
    /// The peer sends no more. Later handlers are notified only after the response to the previous request, because
    /// they would close the connection.
    private var hasInputEnded = false
    /// The write of the connection's last response.
    private var lastAnswer: EventLoopFuture<Void>?
    private var context: ChannelHandlerContext?
    private var address: String?
    private var turns: LoopTurns?

    init(_ collector: Collector) { route = EventsRoute(collector: collector) }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        address = collector.client(context.channel.clientAddress)
        turns = collector.turns.turns(of: context.eventLoop).value
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        held.removeAll()
        collector.pendingAnswers.remove(ObjectIdentifier(self))
        // A submission in the store ends when the store answers.
        guard phase != .storing else { return }
        phase = .ended
        end()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        guard held.isEmpty, mayCome(part) else {
            held.append(part)
            return
        }
        handle(part, context)
    }

    func read(context: ChannelHandlerContext) {
        if held.isEmpty { context.read() } else { isReadHeld = true }
    }

    private func mayCome(_ part: HTTPRequestPart) -> Bool {
        guard phase != .storing else { return false }
        guard case .head(let head) = part else { return true }
        guard pending == 0 else {
            isPaused = true
            return false
        }
        return !Self.isTaken(head) || passedOn == 0
    }

    /// Counts a part of a response until it is written.
    private func counted(
        _ bytes: Int, _ context: ChannelHandlerContext, until promise: EventLoopPromise<Void>? = nil
    ) -> EventLoopPromise<Void> {
        let promise = promise ?? context.eventLoop.makePromise()
        pending += bytes
        promise.futureResult.assumeIsolated().whenComplete { [self] result in
            pending -= bytes
            if isCounted { count(context) }
            guard pending == 0, isPaused, case .success = result else { return }
            isPaused = false
            resume(context)
        }
        return promise
    }

    /// Reports what waits for the client after a flush.
    private func count(_ context: ChannelHandlerContext) {
        guard pending > 0 else {
            if isCounted { collector.pendingAnswers.remove(ObjectIdentifier(self)) }
            isCounted = false
            return
        }
        isCounted = true
        let channel = context.channel
        collector.pendingAnswers.set(pending, of: ObjectIdentifier(self)) { channel.close(promise: nil) }
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        count(context)
    }

    private static func isTaken(_ head: HTTPRequest) -> Bool {
        guard head.method == .post, let path = head.path else { return false }
        return path == CollectorPath.events || URI(path).path == CollectorPath.events
    }

    private func handle(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        switch (phase, part) {
        case (.idle, .head(let head)) where Self.isTaken(head): begin(head, context)
        case (.idle, .head):
            passedOn += 1
            context.fireChannelRead(wrapInboundOut(part))
        case (.idle, _): context.fireChannelRead(wrapInboundOut(part))
        case (.body, .body(let bytes)):
            attempt(context) { () throws(DeliveryProblem) in
                if var incoming = self.incoming.take() {
                    defer { self.incoming = incoming }
                    try route.add(bytes, to: &incoming)
                }
            }
        case (.body, .end): store()
        case (.dropping, .end): close(context)
        case (.body, .head), (.dropping, _), (.storing, _), (.ended, _): break
        }
    }

    private func begin(_ head: HTTPRequest, _ context: ChannelHandlerContext) {
        request = head
        phase = .body
        began = .now
        attempt(context) { () throws(DeliveryProblem) in incoming = try route.begin(head, from: address) }
    }

    private func store() {
        phase = .storing
        turns?.add(self, of: address)
    }

    func run(isLate: Bool) {
        validate()
        if isLate, phase != .storing, let context { resume(context) }
    }

    private func validate() {
        guard var incoming = incoming.take(), let loop = turns?.loop else { return }
        let result: Result<EventsRoute.Step, DeliveryProblem>
        do throws(DeliveryProblem) { result = .success(try route.step(after: &incoming)) } catch {
            result = .failure(error)
        }
        self.incoming = incoming
        switch result {
        case .success(.store(let submission)):
            let bound = NIOLoopBound(self, eventLoop: loop)
            collector.store.submit(submission, source: address) { result in
                loop.execute { bound.value.stored(result) }
            }
        case .success(.repeat(let receipt)):
            answer(Result { try route.answer(with: receipt, at: collector.settings.now()) })
        case .failure(let problem): answer(.failure(problem))
        }
    }

    private func stored(_ result: Result<SubmissionOutcome, StoreError>) {
        guard let forwarding = collector.forwarding, forwarding.answersWhenReplicated,
            case .success(.accepted(let receipt, _)) = result, let loop = context?.eventLoop
        else { return finish(result) }
        let bound = NIOLoopBound(self, eventLoop: loop)
        Task {
            _ = await forwarding.wait(for: receipt.name.number)
            loop.execute { bound.value.finish(result) }
        }
    }

    private func finish(_ result: Result<SubmissionOutcome, StoreError>) {
        guard let incoming else { return }
        do {
            let receipt = try route.receipt(for: result.get(), to: incoming)
            answer(.success(receipt))
        } catch {
            if error is StoreError { route.note(error, of: incoming) }
            answer(.failure(error))
        }
        if let context { resume(context) }
    }

    private func attempt(_ context: ChannelHandlerContext, _ step: () throws(DeliveryProblem) -> Void) {
        do throws(DeliveryProblem) { try step() } catch { answer(.failure(error)) }
    }

    /// Processes the request parts that arrived before their turn.
    private func resume(_ context: ChannelHandlerContext) {
        let count = held.count
        while let part = held.first, mayCome(part) {
            held.removeFirst()
            handle(part, context)
        }
        // Later handlers forward what they received only after this event.
        if held.count < count { context.fireChannelReadComplete() }
        guard held.isEmpty else { return }
        if hasInputEnded, phase == .idle {
            hasInputEnded = false
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
        if isReadHeld {
            isReadHeld = false
            context.read()
        }
    }

    private func answer(_ result: Result<Receipt, any Error>) {
        guard let request else { return }
        var answer: Answer
        switch result {
        case .success(let receipt): answer = .json { receipt.write(to: &$0) }
        case .failure(let error): answer = collector.answer(to: error)
        }
        collector.allowOrigin(of: request, in: &answer.fields)
        answer.fields[.date] = collector.date.text(at: collector.settings.now())
        let isEarly = phase == .body
        let isLast =
            isEarly || (hasInputEnded && held.isEmpty) || answer.fields[.connection] != nil
            || request.headerFields.first(.connection)?.lowercased() == "close"
        if isLast { answer.fields[.connection] = "close" }
        end()
        collector.metrics.request(Endpoint.events.route, status: answer.status.code)
        let elapsed = began.duration(to: .now).components
        collector.metrics.seconds.recordNanoseconds(
            elapsed.seconds * 1_000_000_000 + elapsed.attoseconds / 1_000_000_000)
        phase = isEarly ? .dropping : isLast ? .ended : .idle
        guard let context else { return }
        let head = HTTPResponse(status: answer.status, headerFields: answer.fields)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(
            wrapOutboundOut(.body(answer.body)),
            promise: counted(answer.body.readableBytes + Self.headBytes, context))
        if isLast {
            lastAnswer = context.writeAndFlush(wrapOutboundOut(.end(nil)))
        } else {
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
        count(context)
        if isLast, !isEarly { close(context) }
    }

    private func end() {
        request = nil
        if let incoming = incoming.take() { route.end(incoming) }
    }

    /// Closes the connection after the last response is written.
    private func close(_ context: ChannelHandlerContext) {
        phase = .ended
        held.removeAll()
        lastAnswer?.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    }

    /// Forwards responses of later handlers.
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head: context.write(data, promise: counted(Self.headBytes, context, until: promise))
        case .body(let bytes): context.write(data, promise: counted(bytes.readableBytes, context, until: promise))
        case .end:
            context.write(data, promise: promise)
            passedOn -= 1
            if passedOn == 0 { resume(context) }
        }
    }

    /// About the bytes of a response's header.
    private static let headBytes = 512

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch phase {
        case .body:
            // The body is truncated and is discarded.
            phase = .storing
            answer(.failure(ConnectionEnded()))
        case .dropping: close(context)
        case .idle, .storing, .ended: context.fireErrorCaught(error)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent, phase == .storing || !held.isEmpty {
            hasInputEnded = true
            return
        }
        context.fireUserInboundEventTriggered(event)
    }
}

@available(*, unavailable)
extension EventsHandler: Sendable {}
