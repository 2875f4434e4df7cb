internal import CollectorStore
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOSSL
internal import Primitives

/// The certificate for new connections; open connections keep theirs. Thread-safe.
final class TLSContexts: Sendable {
    private let files: CollectorSettings.TLSFiles
    private let state: Locked<(context: NIOSSLContext, stamp: [FileStamp?])>

    /// - Throws: ``StoreError``, `cannot-open`, if the files are not a certificate and its key.
    init(_ files: CollectorSettings.TLSFiles) throws {
        self.files = files
        state = Locked((try Self.read(files), Self.stamp(files)))
    }

    var current: NIOSSLContext { state.withLock { $0.context } }

    /// Reads the files again if one of them changed.
    ///
    /// - Returns: Whether there is a new certificate.
    /// - Throws: ``StoreError``, `cannot-open`; the previous certificate stays in use.
    func reload() throws -> Bool {
        let stamp = Self.stamp(files)
        guard stamp != state.withLock({ $0.stamp }) else { return false }
        let context = try Self.read(files)
        state.withLock { $0 = (context, stamp) }
        return true
    }

    private static func stamp(_ files: CollectorSettings.TLSFiles) -> [FileStamp?] {
        [FileStamp(files.certificate), FileStamp(files.key)]
    }

    private static func read(_ files: CollectorSettings.TLSFiles) throws -> NIOSSLContext {
        do {
            let chain = try NIOSSLCertificate.fromPEMFile(files.certificate).map {
                NIOSSLCertificateSource.certificate($0)
            }
            let key = try NIOSSLPrivateKey(file: files.key, format: .pem)
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain, privateKey: .privateKey(key))
            configuration.minimumTLSVersion = .tlsv12
            configuration.applicationProtocols = ["http/1.1"]
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw StoreError(
                .cannotOpen,
                "cannot use \(files.certificate) with \(files.key) for TLS: \(error); check that both are PEM files that "
                    + "belong together", underlyingError: error)
        }
    }
}

/// A TLS connection, with the certificate that is current when the connection is opened.
struct TLSConnection<Base: ServerChildChannel>: ServerChildChannel {
    typealias Value = Base.Value
    let base: Base
    let contexts: TLSContexts

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: contexts.current))
        }.flatMap { base.setup(channel: channel, logger: logger) }
    }

    func handle(value: Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
