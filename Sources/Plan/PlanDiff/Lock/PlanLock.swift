internal import Primitives
package import TrackingPlan

/// The published schemas and the digests of their content. A published version never changes.
///
/// ```text
/// 4b1c…  container/1-0-0.json
/// 0f77…  events/search/1-0-0.json
/// ```
///
/// Each line has the SHA-256 of a schema file and its path, sorted by the paths' bytes. `sha256sum -c` reads the file.
package struct PlanLock: Hashable, Sendable {
    /// The path of the file within the folder.
    package static let path = "schemas.lock"

    /// The digests of the published schemas, by path.
    package private(set) var digests: [String: String]

    /// Locks every schema of a folder in its current form.
    package init(_ folder: PlanFolder) {
        digests = [:]
        for file in folder.files where EventPlan.isSchema(file.path) {
            digests[file.path] = SHA256.hexadecimal(file.bytes)
        }
    }

    /// Reads a lock file. Lines may end with CR LF, and the last line may have no line feed.
    ///
    /// - Throws: ``PlanLockError`` for the first invalid line.
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

    /// The content of the lock file.
    package var text: String {
        paths.map { "\(digests[$0] ?? "")  \($0)\n" }.joined()
    }

    private var paths: [String] { digests.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }

    /// Returns the differences between the lock and a folder, sorted by the paths' bytes.
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

    /// Returns the lock with the new schemas of a folder added. Locked schemas stay unchanged.
    package func adding(_ folder: PlanFolder) -> PlanLock {
        var lock = self
        lock.digests.merge(PlanLock(folder).digests) { old, _ in old }
        return lock
    }
}

/// A schema that differs from its published form.
package struct PlanLockDifference: Hashable, Sendable, CustomStringConvertible {
    /// The kind of difference.
    package enum Kind: String, Hashable, Sendable {
        /// The content differs from the published content.
        case changed
        /// The file is missing.
        case missing
        /// The schema is not published yet.
        case unlocked
    }

    /// The kind of difference.
    package let kind: Kind
    /// The file within the folder.
    package let path: String

    /// The path, the difference and what to do.
    package var description: String {
        switch kind {
        case .changed: "\(path): changed since it was published: restore it, and write a new version"
        case .missing: "\(path): published, but missing: restore it, logs still contain its events"
        case .unlocked: "\(path): not published yet: lock it with trackctl schema lock"
        }
    }
}

/// An error in a lock file.
package struct PlanLockError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error in a line.
    package enum Reason: Hashable, Sendable {
        /// The line is not a digest, two spaces and a path.
        case notALock
        /// The line is not a page name, alone or with what its views carry.
        case notAPage
        /// The path does not sort after the previous one.
        case notInOrder
    }

    /// The line, from 1.
    package let line: Int
    /// The kind of error.
    package let reason: Reason

    init(line: Int, _ reason: Reason) {
        self.line = line
        self.reason = reason
    }

    /// The line, the error and what to do.
    package var description: String {
        switch reason {
        case .notALock: "line \(line) is not a digest, two spaces and a path: restore the file from version control"
        case .notAPage:
            "line \(line) is not a page name, alone or with additional or optional: restore the file from version control"
        case .notInOrder: "line \(line) does not sort after the previous line: sort the lines by path"
        }
    }
}
