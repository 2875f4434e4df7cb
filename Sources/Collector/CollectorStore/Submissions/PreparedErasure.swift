package import DeliveryProtocol
internal import EventModel
internal import Primitives

/// An install's erasure that was checked on the requesting thread, so that the writer thread only decides.
struct PreparedErasure: Sendable {
    let installID: String
    let user: String
    let through: Int64?
    let named: [ClosedRange<Int64>]
    let receivedAt: Int64
    /// The request's id.
    let key: [UInt8]
    /// SHA-256 of what a retry repeats: everything except the secret.
    let digest: [UInt8]
    /// SHA-256 of the install's secret.
    let secretHash: [UInt8]

    /// - Throws: ``StoreError`` with `invalidSubmission`.
    init(_ request: InstallErasure, receivedAt: EventTime) throws(StoreError) {
        guard let key = [UInt8](hexadecimal: request.id), key.count == 16 else {
            throw StoreError(.invalidSubmission, "the erasure's id must be 32 lowercase hexadecimal digits")
        }
        guard !request.userID.isEmpty else {
            throw StoreError(.invalidSubmission, "user_id is empty; name the user to erase")
        }
        installID = request.installID
        user = request.userID
        through = request.through
        named = NumberRanges.union(request.numbers)
        self.receivedAt = receivedAt.microseconds
        self.key = key
        secretHash = SHA256.bytes(of: Array(request.secret.utf8))
        var identity = ByteWriter()
        identity.text(user)
        identity.number(UInt64(request.through ?? 0))
        identity.ranges(named)
        digest = SHA256.bytes(of: identity.bytes)
    }
}

/// The outcome of an install's erasure, returned when everything that it states is synced to the disk.
package enum ErasureOutcome: Equatable, Sendable {
    /// Accepted. `isRepeat`: the request was accepted before, and this is its original receipt.
    case accepted(ErasureReceipt, isRepeat: Bool)
    /// The install has another secret, or none; nothing was changed.
    case wrongSecret
    /// The request's id was used for another erasure; nothing was changed.
    case keyReused
    /// The install has too many ranges of numbers; nothing was changed.
    case tooManyRanges

    /// The problem to respond with; nil if the erasure was accepted.
    package var problem: DeliveryProblem? {
        switch self {
        case .accepted: nil
        case .wrongSecret:
            DeliveryProblem(
                .wrongSecret,
                "the install is registered with another secret, or without one; send the secret of its batches")
        case .keyReused:
            DeliveryProblem(
                .keyReused, "the erasure's id was already used with another content; send the erasure under a new id")
        case .tooManyRanges: .tooManyRanges
        }
    }
}
