internal import DeliveryProtocol
internal import EventModel
internal import Foundation
internal import JSONLines
internal import Primitives

extension Judge {
    enum ErasureVerdict {
        /// Store this frame.
        case store(ErasureFrame)
        /// Return the original receipt.
        case again(ErasureReceipt)
        case reject(ErasureOutcome)
    }

    /// Returns the number up to which a user's lines are not stored; nil if the install has not erased the user.
    typealias ErasedUsers = (_ user: String) throws -> Int64?

    /// The users that an install has erased; nil if it has erased none.
    func erasedUsers(of install: Int64, named installID: String) throws -> ErasedUsers? {
        guard try index.hasErasures(install) else { return nil }
        return { [index] user in try index.erased(install, user: ErasureFrame.key(of: user, installID: installID)) }
    }

    /// - Parameters:
    ///   - seqs: Returns the numbers of the user's lines in segments, for a row's id of the install.
    ///   - hasRejects: Returns whether batches of the install have rejected lines, which may be the user's.
    func verdict(
        on request: PreparedErasure, _ seqs: (_ install: Int64) throws -> [ClosedRange<Int64>],
        hasRejects: (_ install: Int64) throws -> Bool
    ) throws -> ErasureVerdict {
        let name = request.installID
        let install = try index.install(name)
        var (stored, known, users): ([ClosedRange<Int64>], [ClosedRange<Int64>], [ClosedRange<Int64>]) = ([], [], [])
        if let install {
            // An install without a secret was imported, or is of other systems' clients: no request proves to own it.
            guard LineDigest.isEqual(install.secretHash, request.secretHash) else { return .reject(.wrongSecret) }
            if let erasure = try index.erasure(of: install.id, named: name, key: request.key) {
                guard LineDigest.isEqual(erasure.digest, request.digest) else { return .reject(.keyReused) }
                return .again(erasure.receipt(collector: collector))
            }
            guard try !index.hasTooManyRanges(install.id) else { return .reject(.tooManyRanges) }
            let fates = try index.numbers(install.id, in: 1...EventRecord.highestSeq)
            stored = fates.filter { $0.fate == .stored }.map(\.seqs)
            known = fates.filter { $0.fate >= .stored }.map(\.seqs)
            users = try seqs(install.id)
        }
        let through = request.through ?? max(install?.highest ?? 0, request.named.last?.upperBound ?? 0)
        let lines = NumberRanges.common(users, through > 0 ? [1...through] : [])
        let erased = NumberRanges.common(lines, stored)
        let others = NumberRanges.difference(stored, erased)
        // Without the user's id, the request does not need a round: the segments have nothing to remove. They have lines
        // that are erased already if a batch has reported them before.
        let isUnknown = try lines.isEmpty && !(install.map { try hasRejects($0.id) } ?? false)
        return .store(
            ErasureFrame(
                receivedAt: request.receivedAt, installID: name, secretHash: request.secretHash, key: request.key,
                digest: request.digest, userKey: ErasureFrame.key(of: request.user, installID: name),
                user: isUnknown ? nil : request.user, through: through, erased: erased,
                named: NumberRanges.difference(request.named, NumberRanges.union(known)),
                kept: NumberRanges.count(NumberRanges.common(request.named, others)).value))
    }
}

extension BatchFrame {
    /// Removes the bytes of rejected lines of users whom the install has erased. A line that is not JSON names no user.
    mutating func dropRejects(of erasedUsers: Judge.ErasedUsers) throws {
        for (index, record) in rejected.enumerated() {
            guard let bytes = record.bytes,
                let user = JSONValue(validating: bytes)?[EnvelopeMember.userID.rawValue]?.stringValue,
                let through = try erasedUsers(user), record.rejection.seq ?? 0 <= through
            else { continue }
            rejected[index] = record.erased
        }
    }
}

extension BatchFrame.RejectedRecord {
    /// The record without what its line contained.
    var erased: Self {
        .init(
            rejection: .init(
                seq: rejection.seq, id: nil, line: rejection.line, code: rejection.code, message: "erased"),
            bytes: nil)
    }

    /// Whether the line may belong to a user. A line that is not JSON, or has no user, is searched for the id.
    func isOf(_ user: String) -> Bool {
        guard let bytes else { return false }
        if let own = JSONValue(validating: bytes)?[EnvelopeMember.userID.rawValue]?.stringValue { return own == user }
        return Data(bytes).range(of: Data(user.utf8)) != nil
    }
}
