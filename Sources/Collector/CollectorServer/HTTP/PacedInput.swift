internal import NIOCore

/// Keeps the bytes of a connection's further requests until the ones that were decoded are answered: a request that is decoded
/// needs many times the memory of its bytes. It precedes the decoder, which gets at most 4 KiB at a time unless the length of the body
/// is known.
final class PacedInput: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer

    /// What may be decoded next.
    enum Next {
        /// No byte until ``PacedInput/resume()``.
        case nothing
        /// The start of a request, or a body of unknown length.
        case some
        /// This many bytes of a body.
        case body(Int)
    }

    private static let portion = 4 << 10
    private let next: () -> Next
    private let arrived: () -> Void
    private var held = ByteBuffer()
    private var isReadHeld = false
    private var isEndHeld = false
    private var isPassing = false
    private var context: ChannelHandlerContext?

    /// - Parameter arrived: Called before bytes are decoded.
    init(next: @escaping () -> Next, arrived: @escaping () -> Void) {
        self.next = next
        self.arrived = arrived
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        // The bytes of one read are the most that is kept here; later handlers may keep those of ten.
        let sizes = AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 2048, maximum: 8 << 10)
        do {
            try context.channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
            try context.channel.syncOptions?.setOption(.recvAllocator, value: sizes)
        } catch { context.fireErrorCaught(error) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        if held.readableBytes == 0 { held = bytes } else { held.writeBuffer(&bytes) }
        pass(context)
    }

    private func pass(_ context: ChannelHandlerContext) {
        guard !isPassing else { return }
        isPassing = true
        while held.readableBytes > 0 {
            let most: Int
            switch next() {
            case .nothing:
                isPassing = false
                return
            case .some: most = Self.portion
            case .body(let left): most = max(1, left)
            }
            arrived()
            guard let part = held.readSlice(length: min(most, held.readableBytes)) else { break }
            context.fireChannelRead(wrapInboundOut(part))
        }
        isPassing = false
        // Its memory is that of a whole read.
        held = ByteBuffer()
        if isEndHeld {
            isEndHeld = false
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
        if isReadHeld {
            isReadHeld = false
            context.read()
        }
    }

    /// Passes on the kept bytes, after the requests were answered.
    func resume() {
        guard held.readableBytes > 0, let context else { return }
        context.eventLoop.assumeIsolated().execute { [self] in
            guard let context = self.context else { return }
            pass(context)
            context.fireChannelReadComplete()
        }
    }

    func read(context: ChannelHandlerContext) {
        if held.readableBytes == 0 { context.read() } else { isReadHeld = true }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent, held.readableBytes > 0 {
            isEndHeld = true
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }
}

@available(*, unavailable)
extension PacedInput: Sendable {}
