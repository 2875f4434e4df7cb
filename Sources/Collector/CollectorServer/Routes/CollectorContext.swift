internal import Foundation
internal import Hummingbird
internal import NIOCore
internal import Primitives

/// What an endpoint can know of the connection of its request.
struct CollectorContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    private let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    var address: String { channel.clientAddress }

    /// Gives the request the time of requests with a key.
    func keyIsKnown() { channel.triggerUserOutboundEvent(KeyIsKnown(), promise: nil) }
}

extension Channel {
    /// The client's address: of IPv6 the network, because a client may use all addresses of it. Empty if it is unknown.
    var clientAddress: String {
        guard case .v6(let address)? = remoteAddress else { return remoteAddress?.ipAddress ?? "" }
        let bytes = withUnsafeBytes(of: address.address.sin6_addr) { [UInt8]($0) }
        // An IPv4 address in the form of IPv6 starts with zeros.
        return (bytes.prefix(8).allSatisfy { $0 == 0 } ? bytes : [UInt8](bytes.prefix(8))).hexadecimal
    }
}

/// The body of a request has named a known key.
struct KeyIsKnown: Sendable {}
