import EventLog
import Foundation
import JSONLines

extension TrackctlFolder {
    /// Closes the folder to others, as an app's is.
    func close() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    }

    /// Leaves a log as a process does that was killed: `stored` in its database, `waiting` only in its journal.
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
            // The header's word that the writer has gone: this process still runs.
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

    /// Changes the bytes of a file where it stands.
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

    /// The files in which a text stands, packed ones unpacked, sorted.
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

/// A finding as `trackctl doctor --json` tells it.
struct DoctorFinding: Equatable, CustomStringConvertible {
    let check: String
    let severity: String
    /// The last part of its path.
    let place: String
    let message: String
    let advice: String?
    let numbers: [String: Int64]

    init?(_ json: JSONValue) {
        guard let check = json["check"]?.stringValue, let severity = json["severity"]?.stringValue,
            let place = json["place"]?.stringValue, let message = json["message"]?.stringValue,
            case .object(let numbers)? = json["numbers"]
        else { return nil }
        (self.check, self.severity, self.message) = (check, severity, message)
        self.place = place.split(separator: "/").last.map(String.init) ?? place
        advice = json["advice"]?.stringValue
        self.numbers = numbers.compactMapValues(\.integerValue)
    }

    var description: String { "\(severity) \(check) \(place): \(message)" }

    /// The findings on a line of output.
    static func all(_ line: String?) throws -> [DoctorFinding] {
        guard case .array(let findings)? = try JSONParser.parse((line ?? "").utf8)["findings"] else { return [] }
        return findings.compactMap(DoctorFinding.init)
    }
}

extension [DoctorFinding] {
    /// The findings of a check that are worse than ok.
    func bad(_ check: String) -> [DoctorFinding] { filter { $0.check == check && $0.severity != "ok" } }
}
