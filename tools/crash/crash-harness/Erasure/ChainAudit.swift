import CrashSupport
import EventLog
import EventModel
import Foundation
import JSONLines

/// Compares the journals with the log, and the log with the lines of a later stage: the file sink's files, or the loader's folder.
struct ChainAudit {
    private(set) var findings = Findings()
    /// The number of events that must be stored at each stage.
    private(set) var required = 0
    /// The number of events in the log.
    var inLog: Int { log.count }

    private let people: [Person: PersonRecord]
    private var log: [Int64: [UInt8]] = [:]
    /// The numbers of the log's events.
    private(set) var numbers = IndexSet()

    /// Reads a closed log.
    ///
    /// - Parameter people: What the journals have.
    init(log path: String, people: [Person: PersonRecord]) throws {
        var cursor = LogCursor(try EventLogReader(path: path))
        var records: [EventRecord] = []
        while let record = try cursor.next() { records.append(record) }
        self.init(records, people: people)
    }

    /// Compares the events of a log with the journals.
    init(_ records: [EventRecord], people: [Person: PersonRecord]) {
        self.people = people
        var seqs: [PersonMarker: Int64] = [:]
        for record in records {
            guard let container = try? RecordedContainer(line: record.line) else {
                findings.add(.unreadable, "log: seq \(record.seq)")
                continue
            }
            numbers.insert(Int(record.seq))
            log[record.seq] = record.line
            guard let marker = PersonEvent.marker(of: container) else {
                findings.add(.altered, "log: seq \(record.seq)")
                continue
            }
            if seqs.updateValue(record.seq, forKey: marker) != nil { findings.add(.doubled, "log: \(marker)") }
            check(marker, container)
        }
        for (marker, event) in people.values.lazy.flatMap(\.events) where expectation(of: marker) == .stored {
            required += 1
            guard case .numbered(let seq) = event.outcome else { continue }
            guard let stored = seqs[marker] else {
                findings.add(.lost, "log: \(marker), receipt \(seq)")
                continue
            }
            if stored != seq { findings.add(.misnumbered, "\(marker) has seq \(stored), its receipt has \(seq)") }
        }
        checkDrops()
    }

    private func expectation(of marker: PersonMarker) -> PersonRecord.Expectation? {
        people[marker.person]?.expectation(of: marker)
    }

    private mutating func check(_ marker: PersonMarker, _ container: RecordedContainer) {
        if container.json[.userID]?.stringValue != "\(marker.person)" { findings.add(.wrongPerson, "log: \(marker)") }
        switch expectation(of: marker) {
        case nil: findings.add(.invented, "log: \(marker)")
        case .nowhere?:
            findings.add(
                people[marker.person]?.erasure == PersonRecord.Erasure.none ? .keptThoughDenied : .keptThoughErased,
                "log: \(marker)")
        case .stored?, .open?: break
        }
    }

    /// Whether a later stage may have a line that the log has not: a denial removes events that some sink has not received.
    func mayRemain(_ container: RecordedContainer) -> Bool {
        guard let marker = PersonEvent.marker(of: container), expectation(of: marker) == .open else { return false }
        return people[marker.person]?.wasDenied == true
    }

    /// Compares the lines of a stage, which has received all events of the log.
    mutating func compare(_ lines: some Sequence<[UInt8]>, of stage: String) {
        var seen: Set<Int64> = []
        for line in lines {
            guard let container = try? RecordedContainer(line: line) else {
                findings.add(.unreadable, "\(stage): a line after \(seen.count) others")
                continue
            }
            if !seen.insert(container.seq).inserted { findings.add(.doubled, "\(stage): seq \(container.seq)") }
            if let original = log[container.seq] {
                if original != line { findings.add(.altered, "\(stage): seq \(container.seq)") }
            } else if !mayRemain(container) {
                findings.add(.invented, "\(stage): seq \(container.seq)")
            }
        }
        for seq in log.keys where !seen.contains(seq) { findings.add(.lost, "\(stage): seq \(seq)") }
    }

    /// Checks that no file has what must be in no file.
    mutating func check(_ search: PersonSearch) {
        for (person, files) in search.people where people[person].map({ $0.erasure != .none }) ?? false {
            findings.add(.keptThoughErased, "\(person): \(files.sorted().prefix(3).joined(separator: ", "))")
        }
        for (marker, files) in search.markers {
            switch expectation(of: marker) {
            case nil: findings.add(.invented, "\(marker): \(files.sorted().prefix(3).joined(separator: ", "))")
            case .nowhere? where people[marker.person]?.erasure == PersonRecord.Erasure.none:
                findings.add(.keptThoughDenied, "\(marker): \(files.sorted().prefix(3).joined(separator: ", "))")
            case .nowhere?, .open?, .stored?: break
            }
        }
        // Otherwise, the search finds nothing at all.
        for (marker, _) in people.values.lazy.flatMap(\.events) where expectation(of: marker) == .stored {
            if search.markers[marker] == nil { findings.add(.failed, "the search did not find \(marker)") }
        }
    }

    /// Checks that `send` has dropped what a stored denial forbids, and nothing else.
    private mutating func checkDrops() {
        for (marker, event) in people.values.lazy.flatMap(\.events) {
            switch (event.consent, event.outcome) {
            case (.denied, .numbered), (.granted, .dropped): findings.add(.wrongConsent, "\(marker): \(event.outcome)")
            default: break
            }
        }
    }
}

/// The lines of the stages in files.
enum StageLines {
    /// The lines of the file sink.
    static func ofSink(_ folder: String) throws -> [[UInt8]] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return try names.filter { $0.hasPrefix("events") && $0.hasSuffix(".jsonl") }.flatMap { name in
            let reader = try LinesOfFile("\(folder)/\(name)")
            return Array(sequence(state: reader) { $0.next()?.line })
        }
    }

    /// The lines in a loader's folder.
    static func ofLoader(_ folder: String) throws -> [[UInt8]] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder + "/events")
        return try names.filter { $0.hasSuffix(".jsonl.zst") }.flatMap { name in
            try PersonSearch.decompressed("\(folder)/events/\(name)").split(separator: 0x0A).map { row in
                guard let line = JSONValue(validating: Array(row))?["line"]?.stringValue else {
                    throw HarnessError("\(name): a row without a line")
                }
                return Array(line.utf8)
            }
        }
    }
}
