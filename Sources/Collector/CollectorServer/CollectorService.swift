internal import CollectorIntake
internal import CollectorReading
package import CollectorStore
internal import DeliveryProtocol
internal import Foundation
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import Primitives
internal import ServiceLifecycle

/// Opens the data folder and serves until the service group shuts down; then drains and syncs.
package struct CollectorService: Service, CustomStringConvertible {
    /// Without users: service groups log it.
    package var description: String { "collector" }
    private let collector: Collector
    private let tls: TLSContexts?
    /// Erasures that an earlier process did not finish. Read before any new erasure can start, because a file that
    /// is being written would look like a torn one.
    private let erasures: [(path: String, user: String)]
    private let isServing: @Sendable (_ port: Int) async -> Void

    /// Opens the data folder. Does not listen yet.
    ///
    /// - Parameter isServing: Called with the port when the collector answers requests.
    /// - Throws: ``StoreError``; `PlanError` for the folder of schemas.
    package init(
        _ settings: CollectorSettings, isServing: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    )
        throws
    {
        tls = try settings.tls.map { try TLSContexts($0) }
        collector = try Collector(settings)
        do { erasures = try collector.erasures.left() } catch {
            erasures = []
            collector.logger.error(
                "cannot read the unfinished erasures; the collector tries again at the next start",
                metadata: ["error": "\(error)"])
        }
        self.isServing = isServing
    }

    /// Serves until a graceful shutdown. Then `readyz` fails, requests in progress are answered, idle connections
    /// are closed, and the store is synced and closed.
    ///
    /// - Throws: If the address can't be bound.
    package func run() async throws {
        let settings = collector.settings
        let group = ServiceGroup(
            configuration: .init(
                services: [
                    .init(service: Maintenance(collector: collector, tls: tls, erasures: erasures)),
                    .init(service: Feeding(feed: collector.feed)),
                    .init(service: Counting(statistics: collector.statistics)),
                    .init(service: Forwarder(forwarding: collector.forwarding)),
                    .init(
                        service: application, successTerminationBehavior: .gracefullyShutdownGroup,
                        failureTerminationBehavior: .cancelGroup),
                ], logger: settings.logger))
        let collector = self.collector
        let result: Result<Void, any Error>
        do {
            try await withGracefulShutdownHandler {
                try await group.run()
            } onGracefulShutdown: {
                collector.readiness.drain()
                // Streams have no end of their own, and the server waits for them.
                collector.feed.end()
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await collector.store.close()
        collector.logger.notice("all events are stored; the data folder is closed")
        try result.get()
    }

    private var application: some Service {
        let settings = collector.settings
        let collector = self.collector
        let configuration = HTTP1Channel.Configuration(
            additionalChannelHandlers: [
                ConnectionDeadlines(
                    header: settings.headerTimeout, body: settings.bodyTimeout, keylessBody: settings.keylessTimeout
                ) { request in
                    // An unknown key is no key; the response has the reason.
                    (try? collector.key(
                        path: request.path ?? "", authorization: request.headerFields[.authorization])) != nil
                }
            ],
            idleTimeout: TimeAmount(settings.idleTimeout),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: 16 << 10, maxHeaderListSize: Limit.headerBytes,
                maxHeaderFieldCount: Limit.headerFields))
        let tls = self.tls
        let server = HTTPServerBuilder { responder in
            let plain = EventsConnection(
                base: HTTP1Channel(responder: responder, configuration: configuration), collector: collector)
            guard let tls else { return plain }
            return TLSConnection(base: plain, contexts: tls)
        }
        return Application(
            responder: CollectorResponder(collector: collector), server: server,
            configuration: .init(
                address: .hostname(settings.host, port: settings.port), backlog: 4096,
                availableConnectionsDelegate: .maximum(settings.maximumConnections, logger: settings.logger)),
            onServerRunning: { channel in
                // Otherwise a few for each turn of the event loop: while it is busy, a new client waits behind hundreds of others.
                do { try await channel.setOption(.maxMessagesPerRead, value: 256).get() } catch {
                    settings.logger.warning("new clients may wait behind others", metadata: ["error": "\(error)"])
                }
                await isServing(channel.localAddress?.port ?? settings.port)
            },
            logger: settings.logger)
    }
}

extension Service {
    /// Waits until the group shuts down. A service whose work ends earlier calls this, because the group treats an earlier
    /// return as an error.
    fileprivate func shutdown() async {
        // The lost error means that the group has cancelled the service, which ends it, too.
        try? await gracefulShutdown()
    }
}

/// Passes new rows to the viewers of the live page.
private struct Feeding: Service {
    let feed: RowFeed

    func run() async throws {
        await cancelWhenGracefulShutdown { await feed.run() }
        await shutdown()
    }
}

/// Counts what arrives.
private struct Counting: Service {
    let statistics: ArrivalStatistics

    func run() async throws {
        await cancelWhenGracefulShutdown { await statistics.run() }
        await shutdown()
    }
}

/// Forwards to the stream, if the settings ask for it.
private struct Forwarder: Service {
    let forwarding: (any Forwarding)?

    func run() async throws {
        if let forwarding { await cancelWhenGracefulShutdown { await forwarding.run() } }
        await shutdown()
    }
}

/// Runs background work: reloads keys, schemas and certificates, and removes old segments.
private struct Maintenance: Service, CustomStringConvertible {
    /// Without users: service groups log it.
    var description: String { "maintenance" }
    let collector: Collector
    let tls: TLSContexts?
    let erasures: [(path: String, user: String)]

    func run() async throws {
        if let limit = collector.settings.maximumStoredBytes {
            collector.logger.notice(
                "above the limit of --max-bytes, batches are rejected with 503", metadata: ["bytes": "\(limit)"])
        }
        await cancelWhenGracefulShutdown {
            await finishErasures()
            await continueErasures()
            await findKnownInstalls()
            var round = 0
            while !Task.isCancelled {
                // A graceful shutdown interrupts the sleep.
                await collector.settings.clock.sleepUnlessCancelled(for: .seconds(1))
                guard !Task.isCancelled else { return }
                round += 1
                reloadKeys()
                reloadSwitches()
                if round % 2 == 0 { await reloadSchemas() }
                if round % 10 == 0 { reloadCertificate() }
                let stored = collector.readiness.stored
                if round % 60 == 0 { await findKnownInstalls() }
                if round % 60 == 0 || stored.lack != nil { await enforceRetention() }
                // A large store has many files.
                if round % 10 == 1 || stored.isNearLimit || collector.forwarding != nil { measure() }
                if round % collector.settings.roundsBetweenRemovals == 0 { await eraseReported() }
            }
        }
    }

    private func findKnownInstalls() async {
        let known = collector.known
        let store = collector.store
        let now = collector.settings.now()
        do {
            try await NIOThreadPool.singleton.runIfActive { try known.refresh(from: store, at: now) }
        } catch {
            report("cannot read the installs; those of earlier days have no part of a quota of their own", error)
        }
    }

    private func finishErasures() async {
        for (path, user) in erasures {
            do {
                _ = try await collector.store.erase(user: user)
                collector.erasures.finished(path)
                collector.logger.notice("finished an interrupted erasure")
            } catch { report("cannot finish an erasure; the collector tries again at the next start", error) }
        }
    }

    /// Removes what installs erased before the start: a collector that is restarted often may not reach the hourly round.
    private func continueErasures() async {
        let store = collector.store
        do {
            let isPending = try await NIOThreadPool.singleton.runIfActive { try store.hasErasedBytes() }
            if isPending { await eraseReported() }
        } catch { report("cannot read the pending erasures; the collector tries again within an hour", error) }
    }

    private func reloadKeys() {
        do {
            if try collector.keys.reload() { collector.logger.notice("reloaded the keys") }
        } catch { report("cannot reload the keys; the previous keys stay valid", error) }
    }

    private func reloadSwitches() {
        do {
            guard let served = try collector.switches?.reload() else { return }
            collector.logger.notice(
                "reloaded the switches",
                metadata: [
                    "version": "\(served.document.version)", "expires_at": "\(served.document.expiry)",
                ])
        } catch { report("cannot reload the switches; the previous switches are served", error) }
    }

    private func reloadSchemas() async {
        let schemas = collector.schemas
        // The singleton pool never shuts down.
        let result = (try? await NIOThreadPool.singleton.runIfActive { schemas.reload() }) ?? .unchanged
        switch result {
        case .unchanged: break
        case .loaded(let events):
            collector.logger.notice("reloaded the schemas", metadata: ["events": "\(events)"])
        case .failed(let reason):
            collector.logger.error(
                "cannot reload the schemas; the previous schemas stay in use", metadata: ["error": "\(reason)"])
        }
    }

    private func reloadCertificate() {
        do {
            if try tls?.reload() == true { collector.logger.notice("reloaded the certificate") }
        } catch { report("cannot reload the certificate; the previous certificate stays in use", error) }
    }

    private func enforceRetention() async {
        var retention = collector.settings.retention
        retention.keepsAfter = collector.forwarding?.state.receipt
        guard retention.maximumAge != nil || retention.maximumBytes != nil else { return }
        do {
            let report = try await collector.store.enforce(retention)
            if report.segments > 0 {
                collector.logger.notice("removed old segments", metadata: ["segments": "\(report.segments)"])
            }
        } catch { report("cannot remove old segments", error) }
    }

    /// Compares the store with its limits. Above them, batches are rejected, and nothing is removed.
    private func measure() {
        let settings = collector.settings
        do {
            var stored = Readiness.Stored(bytes: try collector.store.bytes())
            if let limit = settings.maximumStoredBytes {
                stored.isNearLimit = stored.bytes > limit / 10 * 7
                if stored.bytes > limit {
                    stored.lack = "the store has reached the limit of --max-bytes, \(limit) bytes"
                    stored.remedy = "raise it, or set --keep-days or --keep-bytes"
                }
            }
            // While the stream is behind, retention cannot remove segments, and the limit of their size is a quota. They
            // are removed as a whole: one more than the limit is normal.
            if collector.forwarding != nil, let limit = settings.retention.maximumBytes,
                try collector.store.bytesOfSegments() > limit + settings.store.segmentBytes
            {
                stored.lack = "the disk quota is used up, because the stream is behind"
                stored.remedy = "bring the stream back"
            }
            let before = collector.readiness.note(stored)
            if let lack = stored.lack, before.lack == nil {
                collector.logger.warning(
                    "\(lack); batches are rejected with 503", metadata: ["to do": "\(stored.remedy)"])
            } else if stored.lack == nil, before.lack != nil {
                collector.logger.warning("the store is below its limits; batches are accepted again")
            } else if stored.isNearLimit, !before.isNearLimit {
                collector.logger.warning(
                    "the store has more than 70 % of --max-bytes; above it, batches are rejected with 503",
                    metadata: ["bytes": "\(stored.bytes)"])
            }
        } catch { report("cannot measure the store", error) }
    }

    private func eraseReported() async {
        do {
            let report = try await collector.store.eraseReported()
            collector.forgetErased()
            if report.segments > 0 {
                collector.logger.notice(
                    "removed events that clients erased",
                    metadata: ["lines": "\(report.lines)", "segments": "\(report.segments)"])
            }
        } catch {
            report("cannot remove events that clients erased", error)
        }
    }

    private func report(_ message: String, _ error: any Error) {
        collector.logger.error("\(message)", metadata: ["error": "\(error)"])
    }
}
