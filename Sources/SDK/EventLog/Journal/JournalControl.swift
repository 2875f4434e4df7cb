internal import EventModel
internal import Foundation
internal import Primitives

/// The file that all writers of a log share: the counter of sequence numbers, and the lock that serializes moving,
/// opening and closing.
///
/// ```text
///    0      identity: mark, version, sizes, the log's newest install with its secret, checksum
///    2048   counter: the highest number drawn
///    2112   generation of the database file: rises when a salvaged file replaces it
///    2120   number of the newest install: rises after a new install was written to the identity
///    2176   generation of the set of rings: rises when a ring is added or removed
///    2240   the bytes of all rings
///    2304   generation of the people's consent and of the log's identity: changes with each change
///    2368   the names of the purposes, see `PurposeNames`
///    4096   the people's consent, see `ConsentMirror`
///    8192   the log's identity: the device's id and the user, see `IdentityRing`
/// ```
///
/// The lock is `flock`. It is held for one transaction at most, never between operations and never by a sender.
package final class JournalControl: @unchecked Sendable {  // The words are atomic, and nothing else changes.
    static let name = "control"
    /// How long a reader waits for the lock. A mover may hold it while a slow disk syncs one transaction, which has taken
    /// more than 8 s.
    package static let readerTimeout = Duration.seconds(30)
    static let size = 16384
    package static let version: UInt32 = 4
    private static let counterOffset = 2048
    static let purposesOffset = 2368
    static let consentsOffset = 4096
    static let identitiesOffset = 8192
    private static let mark: UInt64 = 0x314C_5443_4C4B_5254  // "TRKLCTL1"
    private static let identityCapacity = 2048

    let file: MappedFile
    package let counter: SharedWord
    let generation: SharedWord
    let installNumber: SharedWord
    package let ringsGeneration: SharedWord
    let journalBytes: SharedWord
    let consents: ConsentMirror
    let identities: IdentityRing
    var purposes: PurposeNames { PurposeNames(file.bytes + Self.purposesOffset) }

    private let system: LogSystem

    private init(_ file: MappedFile, _ system: LogSystem) {
        self.system = system
        self.file = file
        counter = SharedWord(file.bytes, offset: Self.counterOffset)
        generation = SharedWord(file.bytes, offset: 2112)
        installNumber = SharedWord(file.bytes, offset: 2120)
        ringsGeneration = SharedWord(file.bytes, offset: 2176)
        journalBytes = SharedWord(file.bytes, offset: 2240)
        consents = Self.consents(file.bytes)
        identities = IdentityRing(file.bytes + Self.identitiesOffset)
    }

    static func consents(_ bytes: UnsafeMutableRawPointer) -> ConsentMirror {
        ConsentMirror(bytes + consentsOffset, generation: SharedWord(bytes, offset: 2304))
    }

    /// The state of the file when it was opened.
    package enum Found {
        case new
        case intact(LogGeneration)
        case damaged(reason: String)
    }

    /// Opens or creates the file, and locks it.
    ///
    /// - Parameter check: As in ``lock(timeout:check:)``.
    /// - Throws: ``EventLogError``: `inUse` if it stays locked, `newerVersion`; `SystemError`,
    ///   ``PrivateFile/Refusal``.
    package static func openLocked(
        folder: String, timeout: Duration, system: LogSystem = LogSystem(), check: () throws -> Void = {}
    ) throws -> (JournalControl, Found) {
        let path = folder + "/" + name
        var attempt = 0
        while true {
            attempt += 1
            try PrivateFile.makeFolder(folder)
            let descriptor: CInt
            do { descriptor = try PrivateFile.open(path, O_RDWR | O_CREAT) } catch let error as SystemError {
                // The last writer may have removed the folder meanwhile.
                if error.code == ENOENT && attempt < 100 { continue }
                throw error
            }
            do {
                try lock(descriptor, path: path, timeout: timeout, check: check)
            } catch {
                close(descriptor)
                throw error
            }
            // The previous holder of the lock may have removed the file, if it was the last writer.
            guard let opened = statusIfNamed(descriptor, path) else {
                close(descriptor)
                continue
            }
            let length = Int(opened.st_size)
            if length < size {
                do { try MappedFile.preallocate(descriptor, size: size, path: path) } catch {
                    if length == 0 {
                        unlink(path)
                        rmdir(folder)  // The folder stays if it contains other files.
                    }
                    close(descriptor)
                    throw error
                }
            }
            let control = JournalControl(
                try MappedFile(path: path, descriptor: descriptor, size: size, isWritable: true), system)
            guard length > 0 else { return (control, .new) }
            guard length >= size else { return (control, .damaged(reason: "truncated to \(length) bytes")) }
            switch control.identity {
            case .success(let identity):
                guard identity.version <= version else {
                    throw EventLogError(
                        .newerVersion,
                        """
                        cannot open \(path): written by a newer version (format \(identity.version), this one \
                        supports \(version)); update this program; the file was not changed
                        """)
                }
                return (control, .intact(LogGeneration(identity)))
            case .failure:
                // A process may have ended between creating the file and writing the mark, its last step.
                let isUnmarked = SharedWord(control.file.bytes, offset: 0).load() == 0 && control.counter.load() == 0
                return (control, isUnmarked ? .new : .damaged(reason: "damaged header"))
            }
        }
    }

    /// The status of an open file; nil if its name was removed or now belongs to another file.
    private static func statusIfNamed(_ descriptor: CInt, _ path: String) -> stat? {
        var named = stat()
        var opened = stat()
        guard stat(path, &named) == 0, fstat(descriptor, &opened) == 0, named.st_ino == opened.st_ino,
            named.st_dev == opened.st_dev
        else { return nil }
        return opened
    }

    /// Whether other processes open this same file. The answer stays valid while the lock is held, because removing the
    /// name requires the lock.
    var isNamed: Bool { Self.statusIfNamed(file.descriptor, file.path) != nil }

    /// Opens the file for reading; other processes may write to it.
    ///
    /// - Throws: `SystemError`.
    package static func openForReading(folder: String) throws -> JournalControl {
        let path = folder + "/" + name
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError("open", path: path) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, Int(status.st_size) >= size else {
            close(descriptor)
            throw SystemError("open", code: EINVAL, path: path)
        }
        return JournalControl(
            try MappedFile(path: path, descriptor: descriptor, size: size, isWritable: false), LogSystem())
    }

    /// Reads the constant part of the file.
    package var identity: Result<HeaderIdentity, HeaderIdentity.Issue> {
        HeaderIdentity.read(
            mark: Self.mark, from: UnsafeRawPointer(file.bytes), capacity: Self.identityCapacity)
    }

    /// The newest install in the file; nil if it cannot be read, or while another process writes it.
    // Only the reason is lost: `identity` has it.
    package var install: LogGeneration? { (try? identity.get()).map { LogGeneration($0) } }

    /// Writes the log's install, and syncs it, the file's name and the folder. Call with the lock held.
    package func setInstall(_ log: LogGeneration) {
        // Last, so that a reader of the number finds the new identity.
        defer { installNumber.publish(UInt64(log.number)) }
        if case .success(let identity) = identity, identity.version == Self.version, identity.text == log.identityText {
            return
        }
        HeaderIdentity.write(
            mark: Self.mark, version: Self.version, fileSize: Self.size, text: log.identityText, to: file.bytes,
            capacity: Self.identityCapacity)
        let disk = DiskOrder(system: system)
        disk.sync(file.descriptor, path: file.path)
        let folder = DiskOrder.folder(of: file.path)
        disk.syncFolder(folder)
        disk.syncFolder(DiskOrder.folder(of: folder))
    }

    /// The highest number drawn so far, clamped to the valid range.
    var drawn: Int64 { Self.drawn(file.bytes) }

    static func drawn(_ bytes: UnsafeMutableRawPointer) -> Int64 {
        min(Int64(clamping: SharedWord(bytes, offset: counterOffset).load()), EventRecord.highestSeq)
    }

    /// Waits for the lock.
    ///
    /// - Parameters:
    ///   - clock: Measures `timeout`, and sleeps between attempts.
    ///   - check: Called before each attempt except the first. An error from it ends the wait.
    /// - Throws: ``EventLogError`` `inUse` after `timeout`.
    package func lock(timeout: Duration, clock: LockClock = .system, check: () throws -> Void = {}) throws {
        try Self.lock(file.descriptor, path: file.path, timeout: timeout, clock: clock, check: check)
    }

    package func unlock() { flock(file.descriptor, LOCK_UN) }

    /// Restores the length of a file that another program truncated, and the contents that are known.
    func repair(_ log: LogGeneration, highestNumber: UInt64) {
        file.restoreSize()
        setInstall(log)
        counter.raise(to: highestNumber)
        // A value that was never used, so that all processes check again.
        ringsGeneration.publish(UInt64.random(in: 1 << 32...1 << 62))
    }

    private static func lock(
        _ descriptor: CInt, path: String, timeout: Duration, clock: LockClock = .system,
        check: () throws -> Void = {}
    ) throws {
        let end = clock.now().advanced(by: timeout)
        var pause: UInt32 = 50
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw SystemError("flock", path: path) }
            guard clock.now() < end else {
                throw EventLogError(
                    .inUse, "cannot lock \(path): another program has locked it; try again when that program is done")
            }
            clock.sleep(pause)
            try check()
            pause = min(pause * 2, 2000)
        }
    }
}

extension LogGeneration {
    /// Parses ``identityText``. If that is invalid, the whole text is the install's id.
    init(_ identity: HeaderIdentity) {
        let parts = identity.text.split(separator: "\n", maxSplits: 4, omittingEmptySubsequences: false).map(
            String.init)
        guard parts.count == 5, let number = Int(parts[0]), let base = Int64(parts[1]),
            number > 0, 0...EventRecord.highestSeq ~= base
        else {
            self.init(installID: identity.text, secret: "")
            return
        }
        self.init(number: number, installID: parts[4], secret: parts[3], base: base, isAdopted: parts[2] == "adopted")
    }

    /// The text in the control file. The id is last, because it may contain any character.
    var identityText: String {
        "\(number)\n\(base)\n\(isAdopted ? "adopted" : "")\n\(secret)\n\(installID)"
    }
}

/// The time in which a thread waits for the lock of a control file.
package struct LockClock: Sendable {
    let now: @Sendable () -> ContinuousClock.Instant
    let sleep: @Sendable (_ microseconds: UInt32) -> Void

    /// The system's time.
    package static let system = LockClock(now: { .now }, sleep: { usleep($0) })
}
