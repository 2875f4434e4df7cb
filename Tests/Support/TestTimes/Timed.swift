import Foundation
public import Testing

/// Measures the body of each test of a suite, including the creation of the suite, without the overhead of Swift
/// Testing.
///
/// If the environment variable `TRACKING_TEST_TIMES` has the path of a file, a JSON line is appended to it for each
/// test and for each argument: `{"seconds":0.001,"test":"1: …"}`. `make screen-tests` compares two suites with these
/// times.
// A trait that a suite passes to its tests must be a test trait, too.
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
    /// Writes the time of each test to the file in `TRACKING_TEST_TIMES`.
    public static var timed: Timed { Timed() }
}
