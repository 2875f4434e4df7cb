import NIOCore
import NIOEmbedded
import Testing

@testable import CollectorServer

@Suite("Bytes of further requests wait until the earlier ones are answered")
struct PacedInputTests {
    /// What a decoder would ask for.
    private final class Decoder { var next = PacedInput.Next.some }

    /// Counts reads of the socket.
    private final class Socket: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        var reads = 0
        func read(context: ChannelHandlerContext) { reads += 1 }
    }

    /// Notes the end of the input.
    private final class Later: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        var hasEnded = false

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case .inputClosed? = event as? ChannelEvent { hasEnded = true }
        }
    }

    @Test("Bytes are passed on in portions, a body as a whole, and nothing while a request waits for its answer")
    func portions() throws {
        let (decoder, socket, later) = (Decoder(), Socket(), Later())
        let input = PacedInput {
            decoder.next
        } arrived: {
        }
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandlers([socket, input, later])
        func received() throws -> [Int] {
            var sizes: [Int] = []
            while let part = try channel.readInbound(as: ByteBuffer.self) { sizes.append(part.readableBytes) }
            return sizes
        }
        func send(_ count: Int) throws { try channel.writeInbound(ByteBuffer(repeating: 0x61, count: count)) }
        try send(10_000)
        #expect(try received() == [4096, 4096, 1808])
        decoder.next = .body(7_000)
        try send(7_000)
        #expect(try received() == [7_000])
        decoder.next = .nothing
        try send(5_000)
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        channel.pipeline.read()
        #expect(try received() == [] && socket.reads == 0 && !later.hasEnded)
        decoder.next = .some
        input.resume()
        channel.embeddedEventLoop.run()
        #expect(try received() == [4096, 904] && socket.reads == 1 && later.hasEnded)
        channel.pipeline.read()
        #expect(socket.reads == 2)
        _ = try channel.finish()
    }
}
