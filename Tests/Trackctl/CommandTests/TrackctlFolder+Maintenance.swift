import EventLog
import Foundation

extension TrackctlFolder {
    /// Makes the folder private, as an app's is.
    func close() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    }

    /// Creates a log of launches, all delivered to one consumer.
    func deliveredLog(_ name: String = "a.sqlite", count: Int64 = 5) async throws -> String {
        let store = try openLog(name, install: "install-a")
        append(.launches(1...count), to: store)
        try await store.acknowledge(ConsumerCursor(consumer: "http", acknowledged: count), refused: nil)
        try await store.close()
        return self(name)
    }

    /// Leaves a log like a killed process: `stored` in its database, `waiting` only in its journal.
    @discardableResult
    func killedLog(_ name: String, stored: [TrackctlLine], waiting: [TrackctlLine]) async throws -> String {
        let (files, other) = (FileManager.default, try TrackctlFolder())
        let store = try other.openLog(name, install: stored.first?.install ?? "install-a")
        other.append(stored, to: store)
        try await store.commit()
        for suffix in ["", "-wal"] where files.fileExists(atPath: other(name + suffix)) {
            try files.copyItem(atPath: other(name + suffix), toPath: self(name + suffix))
        }
        // Whatever the mover does from here on, the copied database does not have it.
        other.append(waiting, to: store)
        try files.copyItem(atPath: other(name + ".journal"), toPath: self(name + ".journal"))
        for ring in try rings(name) {
            // Marks the writer as ended in the header, as this process still runs.
            try change(ring) { bytes in bytes[960] = 1 }
        }
        try await store.close()
        return self(name)
    }

    /// The names of a log's rings, with their folder.
    func rings(_ name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: self(name + ".journal"))
            .filter { $0.hasPrefix("writer-") }.map { "\(name).journal/\($0)" }
    }

    /// Changes the bytes of a file in place.
    func change(_ name: String, _ body: (inout [UInt8]) -> Void) throws {
        var bytes = bytes(name) ?? []
        body(&bytes)
        _ = try file(name, bytes)
    }

    /// Every file in the folder and its folders, with its bytes.
    func snapshot() throws -> [String: [UInt8]] {
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return Dictionary(uniqueKeysWithValues: names.compactMap { name in bytes(name).map { (name, $0) } })
    }

    /// Creates a file that can be opened, but not read, not even by root, who ignores permissions.
    func unreadableFile(_ name: String) throws -> String {
        #if os(Linux)
            // The memory at address 0, which no process maps.
            try FileManager.default.createSymbolicLink(atPath: self(name), withDestinationPath: "/proc/self/mem")
        #else
            _ = try file(name, "x")
            try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: self(name))
        #endif
        return self(name)
    }

    /// The files that contain a text, decompressed if necessary, sorted.
    func filesHolding(_ text: String) async throws -> [String] {
        var found: [String] = []
        for (name, bytes) in try snapshot() {
            var data = Data(bytes)
            if name.hasSuffix(".gz") { data = Data(try await gunzip(bytes)) }
            if data.range(of: Data(text.utf8)) != nil { found.append(name) }
        }
        return found.sorted()
    }
}
