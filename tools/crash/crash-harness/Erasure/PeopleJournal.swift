import CrashSupport
import Foundation

/// What the journals of all runs of a log have about its users.
struct PeopleJournal: Sendable {
    private(set) var people: [Person: PersonRecord] = [:]
    private(set) var diagnostics: [String] = []
    /// Calls of the last run that have not returned.
    private(set) var open: Set<String> = []
    private(set) var isOpened = false

    /// Adds the journal of a run that has ended, after those of the runs before.
    ///
    /// - Throws: ``HarnessError`` for an unknown line; errors of Foundation.
    mutating func add(_ path: String) throws {
        (open, isOpened) = ([], false)
        guard FileManager.default.fileExists(atPath: path) else { return }
        let reader = try LinesOfFile(path)
        while let (line, _) = reader.next() {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            guard words.count > 1 else { throw HarnessError("\(path): a damaged line") }
            let rest = words.dropFirst(2)
            let marker = rest.first.flatMap { PersonMarker($0) }
            let person = rest.dropFirst().first.flatMap { Person($0) }
            switch (words[1], marker, person) {
            case ("send", let marker?, _):
                open.insert("send \(marker)")
                people[marker.person, default: PersonRecord()].began(sending: marker)
            case ("dropped", let marker?, _):
                open.remove("send \(marker)")
                people[marker.person]?.sent(marker, .dropped)
            case ("sent", let marker?, _):
                open.remove("send \(marker)")
                let seq = rest.dropFirst().first.flatMap { Int64($0) }
                people[marker.person]?.sent(marker, seq.map { .numbered($0) } ?? .pending)
            case ("call", _, let person?):
                open.insert("\(rest[2]) \(person)")
                people[person, default: PersonRecord()].began(rest[2])
            case ("returned", _, let person?):
                open.remove("\(rest[2]) \(person)")
                people[person]?.returned(rest[2])
            case ("diagnostic", _, _): diagnostics.append(rest.joined(separator: " "))
            case ("closed", _, _): break
            case ("opened", _, _): isOpened = true
            default: throw HarnessError("\(path): an unknown line")
            }
        }
    }

    /// The numbers that `send` has returned.
    var receipts: [Int64] {
        people.values.flatMap { record in
            record.events.values.compactMap { if case .numbered(let seq) = $0.outcome { seq } else { nil } }
        }
    }

    /// The users whose erasure may not have begun in the log.
    var unfinished: [Person] { people.filter { $0.value.erasure == .begun }.keys.sorted() }

    var erased: [Person] { people.filter { $0.value.erasure != .none }.keys.sorted() }

    /// The users who can send again.
    var present: [Person] { people.filter { $0.value.erasure == .none }.keys.sorted() }
}
