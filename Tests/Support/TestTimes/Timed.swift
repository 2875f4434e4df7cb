import Foundation
public import Testing

/// Tells how long the body of each test of a suite takes, its suite's instance included: what the test does, without what
/// Swift Testing does around it.
///
/// If the environment variable `TRACKING_TEST_TIMES` names a file, a line of JSON is appended to it for each test, and for
/// each case of one with arguments: `{"seconds":0.001,"test":"1: …"}`. `make screen-tests` compares two suites by it.
// What a suite hands down to its tests must be a trait of tests, too.
public struct Timed: SuiteTrait, TestTrait, TestScoping {
    private static let file = ProcessInfo.processInfo.environment["TRACKING_TEST_TIMES"].map { URL(filePath: $0) }

    private struct Line: Encodable {
        let seconds: Double
        let test: String
    }

    public let isRecursive = true

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard let file = Self.file, testCase != nil else { return try await function() }
        let start = ContinuousClock.now
        let result: Result<Void, any Error>
        do { result = .success(try await function()) } catch { result = .failure(error) }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        try Self.append(Line(seconds: seconds, test: test.displayName ?? test.name), to: file)
        try result.get()
    }

    private static func append(_ line: Line, to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let bytes = try encoder.encode(line) + [0x0A]
        if !FileManager.default.fileExists(atPath: file.path) { try Data().write(to: file) }
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        try handle.seekToEnd()
        try handle.write(contentsOf: bytes)
    }
}

extension Trait where Self == Timed {
    /// The time of each test is written down where `TRACKING_TEST_TIMES` says.
    public static var timed: Timed { Timed() }
}
