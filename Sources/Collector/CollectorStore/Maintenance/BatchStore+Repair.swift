internal import Foundation
internal import GRDB

extension BatchStore {
    /// The installs of other systems' clients that a client has claimed, as earlier versions allowed: installs with a secret,
    /// or with a number that is too high to have a successor.
    ///
    /// - Parameters:
    ///   - namespaces: How the ids of these installs start.
    ///   - limit: The highest number that clients may announce.
    /// - Throws: ``StoreError``.
    package func claimedInstalls(in namespaces: [String], above limit: Int64) throws(StoreError) -> [String] {
        let found = try reading { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT CAST(install AS BLOB) FROM installs WHERE secret_hash IS NOT NULL OR highest > ? ORDER BY install
                    """, arguments: [limit]
            ).map { $0.text(0) }
        }
        return found.filter { install in namespaces.contains { install.utf8.starts(with: $0.utf8) } }
    }

    /// Removes the claims of installs: secrets, and everything that batch headers have announced. Lines stay; those with
    /// numbers above `limit` become rejected lines.
    ///
    /// Rewrites the segments concerned, each in one step, then rebuilds the index. If the process ends, the old index still has
    /// the claims, so call this again to continue. Make a backup first.
    ///
    /// - Parameters:
    ///   - installs: From ``claimedInstalls(in:above:)``.
    ///   - limit: The highest number that clients may announce.
    /// - Throws: ``StoreError``.
    package func release(_ installs: [String], above limit: Int64) async throws {
        let claims = InstallClaims(installs: Set(installs), limit: limit)
        try await maintenance.run {
            let (last, end) = try await onWriter { core in
                core.retireSegment()
                return (core.last, core.nextFrame)
            }
            var segments = try Segments(folder, options.files, collector: collectorID)
            segments.trust(last.trusted, of: last.number)
            var report = ErasureReport()
            for (location, segment) in segments.found.enumerated() {
                let end = min(end, segments.found[(location + 1)...].map(\.header.firstFrame).min() ?? .max)
                var isConcerned = false
                try segments.scan(segment) { frame in
                    let content = try frame.payload.withUnsafeBytes { try FrameContent(kind: frame.kind, $0) }
                    if let content, frame.number < end, claims.released(content) != content { isConcerned = true }
                }
                guard isConcerned else { continue }
                let rewrite = SegmentRewrite(
                    segments: segments, segment: segment, user: nil, released: { claims.released($0) },
                    erased: { _, _ in [] }, limit: end)
                try await exchange(rewrite, &report)
            }
            try await onWriter {
                try $0.exchangeIndex(reason: "clients had claimed installs of other systems' clients")
            }
        }
    }
}
