internal import Primitives
package import TrackingPlan

/// Which schemas were published, and what was in them: a published version never changes.
///
/// ```text
/// 4b1c…  container/1-0-0.json
/// 0f77…  events/search/1-0-0.json
/// ```
///
/// One line a schema, the SHA-256 of the file and its path, in the order of the paths' bytes: `sha256sum -c` reads it.
package struct PlanLock: Hashable, Sendable {
    /// Where it lies within the folder.
    package static let path = "schemas.lock"

    /// The digests of the published schemas, by path.
    package private(set) var digests: [String: String]

    /// Locks every schema of a folder as it is now.
    package init(_ folder: PlanFolder) {
        digests = [:]
        for file in folder.files where EventPlan.isSchema(file.path) {
            digests[file.path] = SHA256.hexadecimal(file.bytes)
        }
    }

    /// Reads a lock file; its lines may end as those of Windows do, and the last may have no end.
    ///
    /// - Throws: ``PlanLockError`` with the first line that is none of a lock.
    package init(text: [UInt8]) throws(PlanLockError) {
        digests = [:]
        var previous = ""
        var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        for (index, line) in lines.enumerated() {
            let line = line.last == 0x0D ? line.dropLast() : line
            let parts = String(decoding: line, as: UTF8.self).split(separator: "  ", maxSplits: 1).map(String.init)
            let isDigest = parts.first.map { $0.utf8.count == 64 && $0.utf8.allSatisfy(Self.isHexadecimal) } ?? false
            guard parts.count == 2, isDigest else { throw PlanLockError(line: index + 1, .notALock) }
            guard previous.utf8.lexicographicallyPrecedes(parts[1].utf8) else {
                throw PlanLockError(line: index + 1, .notInOrder)
            }
            digests[parts[1]] = parts[0]
            previous = parts[1]
        }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
    }

    /// The text of the file.
    package var text: String {
        paths.map { "\(digests[$0] ?? "")  \($0)\n" }.joined()
    }

    private var paths: [String] { digests.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }

    /// What differs between the lock and a folder, in the order of the paths' bytes.
    package func differences(to folder: PlanFolder) -> [PlanLockDifference] {
        let now = PlanLock(folder).digests
        return Set(digests.keys).union(now.keys).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.compactMap {
            path in
            switch (digests[path], now[path]) {
            case (_?, nil): PlanLockDifference(kind: .missing, path: path)
            case (nil, _?): PlanLockDifference(kind: .unlocked, path: path)
            case (let old, let new): old == new ? nil : PlanLockDifference(kind: .changed, path: path)
            }
        }
    }

    /// The lock with what a folder adds; what is locked stays as it is.
    package func adding(_ folder: PlanFolder) -> PlanLock {
        var lock = self
        lock.digests.merge(PlanLock(folder).digests) { old, _ in old }
        return lock
    }
}

/// A schema that is not as it was published.
package struct PlanLockDifference: Hashable, Sendable, CustomStringConvertible {
    /// What happened to it.
    package enum Kind: String, Hashable, Sendable {
        /// It was published with other bytes.
        case changed
        /// It was published, and is gone.
        case missing
        /// It is not published yet.
        case unlocked
    }

    /// What happened to it.
    package let kind: Kind
    /// The file within the folder.
    package let path: String

    /// The path, what happened and what to do.
    package var description: String {
        switch kind {
        case .changed: "\(path): changed since it was published: take it back, and write a new version beside it"
        case .missing: "\(path): published and gone: take it back, logs still hold its events"
        case .unlocked: "\(path): not published yet: lock it with trackctl schema lock"
        }
    }
}

/// A lock file that cannot be read.
package struct PlanLockError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with a line.
    package enum Reason: Hashable, Sendable {
        /// It is no digest, two spaces and a path.
        case notALock
        /// It is no name of a page with what its views carry.
        case notAPage
        /// Its path is not after the one before it.
        case notInOrder
    }

    /// From 1.
    package let line: Int
    /// What is wrong.
    package let reason: Reason

    init(line: Int, _ reason: Reason) {
        self.line = line
        self.reason = reason
    }

    /// The line, what is wrong and what to do.
    package var description: String {
        switch reason {
        case .notALock: "line \(line) is not a digest, two spaces and a path: take the file back from version control"
        case .notAPage:
            "line \(line) is not a page, alone or with additional or optional: take the file back from version control"
        case .notInOrder: "line \(line) is not after the one before it: sort the lines by path"
        }
    }
}
