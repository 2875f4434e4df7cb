internal import Foundation
import GRDB
internal import Primitives

/// An erasure that has begun, and that at least one sink has not answered.
struct PendingErasure: Codable, Equatable {
    let id: String
    let user: String
    /// The ids of anonymous people who turned out to be the user.
    private(set) var devices: [String]
    /// The highest number that was given out when the erasure began. Later events stay.
    let end: Int64
    /// The last change of the ledger before the erasure.
    private let change: Int64
    /// Whether the log's own files have no byte of the events.
    private(set) var isErased = false
    /// The first and the last number of each range of erased events.
    private var numbers: [[Int64]] = []
    /// The sinks that have not answered.
    var sinks: [String]

    /// - Parameter former: Earlier erasures of the same user, which this one replaces.
    init(
        of user: String, device: String?, through end: Int64, for sinks: [String], replacing former: [PendingErasure],
        _ db: Database
    ) throws {
        id = SealedBatch.newID()
        self.user = user
        devices = Set(former.flatMap(\.devices) + (device.map { [$0] } ?? [])).sorted()
        self.end = end
        change = try Int64.fetchOne(db, sql: "SELECT max(change) FROM ledger") ?? 0
        numbers = former.flatMap(\.numbers)
        self.sinks = Set(former.flatMap(\.sinks) + sinks).sorted()
    }

    var removal: Discards.Removal { Discards.Removal(erasing: user, through: end) }

    /// Call when the events are removed.
    ///
    /// - Parameter people: The users of the removed lines.
    mutating func wasErased(people: Set<String>, _ db: Database) throws {
        isErased = true
        devices = people.union(devices).subtracting([user]).sorted()
        // A row may also have numbers that were erased before. Servers keep other users' events under named numbers.
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT first_seq, last_seq FROM ledger
                WHERE reason = ? AND consumer = '' AND first_seq BETWEEN 1 AND last_seq AND change > ?
                """, arguments: [DropReason.erased.rawValue, change])
        let erased: [ClosedRange<Int64>] = try rows.map { try $0.decode(atIndex: 0)...$0.decode(atIndex: 1) }
        numbers = NumberRanges.union(ranges + NumberRanges.common(NumberRanges.union(erased), [1...max(end, 1)]))
            .map { [$0.lowerBound, $0.upperBound] }
    }

    private var ranges: [ClosedRange<Int64>] {
        NumberRanges.union(numbers.filter { $0.count == 2 && $0[0] <= $0[1] }.map { $0[0]...$0[1] })
    }

    func request(_ db: Database) throws -> ErasureRequest {
        let installs = try Generations.all(db).filter { $0.base < end }.map { log in
            ErasureRequest.Install(
                installID: log.installID, secret: log.secret, through: min(log.last ?? end, end) - log.base,
                numbers: NumberRanges.common(ranges, [log.numbers]).map {
                    $0.lowerBound - log.base...$0.upperBound - log.base
                }, isAdopted: log.isAdopted)
        }
        return ErasureRequest(
            id: id, userIDs: [user] + devices, installs: installs.filter { $0.through > 0 })
    }
}

/// The file with the pending erasures of a log: the only one with the users' ids. It is removed with the last erasure.
///
/// Call with the control file's lock held.
struct ErasureFile {
    private let path: String
    private let order: DiskOrder
    /// Also a name that `trackctl` recognizes as that of an unfinished file.
    private var draft: String { path + ".erasing" }

    init(of database: String, _ system: LogSystem) {
        path = database + ".erasures"
        order = DiskOrder(system: system)
    }

    var exists: Bool { access(path, F_OK) == 0 || access(draft, F_OK) == 0 }

    /// - Throws: Errors of ``PrivateFile``; `EventLogError` `io` if the file is damaged.
    func read() throws -> [PendingErasure] {
        unlink(draft)
        let descriptor: CInt
        do { descriptor = try PrivateFile.open(path, O_RDONLY) } catch let error as SystemError
            where error.code == ENOENT
        { return [] }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let bytes = try handle.readToEnd() ?? Data()
        do { return try JSONDecoder().decode([PendingErasure].self, from: bytes) } catch {
            throw EventLogError(
                .io, "cannot read \(path): its content is damaged; remove it and repeat the erasures",
                underlyingError: error)
        }
    }

    func write(_ erasures: [PendingErasure]) throws {
        guard !erasures.isEmpty else {
            guard unlink(path) == 0 || errno == ENOENT else { throw SystemError("unlink", path: path) }
            return order.syncFolder(DiskOrder.folder(of: path))
        }
        let descriptor = try PrivateFile.open(draft, O_WRONLY | O_CREAT | O_TRUNC)
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: JSONEncoder().encode(erasures))
        try order.publish(draft, as: path, syncing: descriptor)
    }
}
