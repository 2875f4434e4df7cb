import CommandRunner

/// Tests that erase one of two users from a folder.
protocol ErasureTests {
    var folder: TrackctlFolder { get }
}

extension ErasureTests {
    /// The user who is erased.
    static var user: String { "F3476B52-160D-4CB9-9022-DE3B34E732EC" }
    /// The user who stays.
    static var other: String { "0C1B5A77-90D3-4A0E-8F2E-1B7F0C2D9E11" }

    /// Lines numbered by a range, of both users in turn.
    func lines(_ seqs: ClosedRange<Int64>) -> [TrackctlLine] { .alternating(seqs, Self.user, Self.other) }

    /// The lines of these that stay.
    func others(_ lines: [TrackctlLine]) -> [TrackctlLine] { lines.filter { $0.user == Self.other } }

    /// Erases the user from the folder.
    func erase(_ arguments: String...) async throws -> CommandResult {
        try await trackctl(["prune", folder.path, "--user", Self.user] + arguments)
    }
}
