internal import EventLog
public import Testing
public import TrackingCore

/// Records which test asserts which event for which route command.
///
/// If the environment variable `TRACKING_FIRING_MATRIX` names a file, each expectation that is met adds a line for each
/// event that it asserts:
///
/// ```json
/// {"consent":"granted","event":"page-view","place":"AppTests/FiringTests.swift:31","purpose":"analytics",
///  "route":"search","schema":"page-view/1-0-0","test":"…"}
/// ```
///
/// `purpose` is the event's, and `consent` that of its person for this purpose: `unknown` if the event is asserted by
/// ``TrackingRecorder/expectHeld(_:for:by:sourceLocation:fileID:filePath:line:column:)``.
/// `route` is the case of the environment's most recent route command, without its values; it is missing before the
/// first command. `test` is the name of the test. In XCTest, it is the class and method that contain `place`, such as
/// `FiringTests.testLaunch`, as found in the test's source. If `place` is outside any test method, as in a helper that
/// does not pass on the `sourceLocation` of its caller, `test` is missing, and `place` identifies the test. Events that
/// a test reads from ``TrackingRecorder/fired`` and compares itself are not included. `trackctl coverage --matrix FILE`
/// shows the table of the app's routes and the plan's events.
public enum FiringMatrix {
    /// The environment variable with the file's path, for a whole test run.
    static let variable = "TRACKING_FIRING_MATRIX"

    private static let run = RunFile.named(by: variable)

    /// Declares the app's route commands, so that a command without a test is visible.
    ///
    /// ```swift
    /// FiringMatrix.declare(routes: RouteUnderTest.allCases.map(\.route))
    /// ```
    ///
    /// - Parameter routes: One command of each case. Create them in a `switch` over all cases of the app's type: a new
    ///   case then does not compile without an entry.
    public static func declare(
        routes: [some RouteCommand], sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        let names = routes.map { JSONValue.string(name(of: $0)) }
        add(["routes": .array(names)], at: CodeLocation(sourceLocation, fileID, filePath, line, column))
    }

    static var isWanted: Bool { run != nil }

    /// The entry of an asserted event.
    static func entry(
        _ container: TrackingContainer, under consent: Consent, route: (any RouteCommand)?, at location: CodeLocation
    ) -> JSONValue {
        var entry: [String: JSONValue] = [
            "event": .string(container.name), "schema": .string(container.schema),
            "place": .string("\(location.fileID):\(location.line)"),
            "purpose": .string(type(of: container.event).purpose.name), "consent": .string(consent.rawValue),
        ]
        if let route { entry["route"] = .string(name(of: route)) }
        if let test = Test.current.map({ $0.displayName ?? $0.name }) ?? XCTestNames.ofThisRun.name(at: location) {
            entry["test"] = .string(test)
        }
        return .object(entry)
    }

    static func add(_ entry: JSONValue, at location: CodeLocation) {
        do {
            guard let file = try run?.get() else { return }
            var json = JSONWriter()
            try entry.write(to: &json)
            try file.add(json.bytes)
        } catch {
            TestFailure.report("cannot write the firing matrix: \(error)", at: location)
        }
    }

    /// The case of a route command, without its values; its description if it is not an enum.
    static func name(of command: some RouteCommand) -> String {
        let mirror = Mirror(reflecting: command)
        return mirror.displayStyle == .enum ? mirror.children.first?.label ?? "\(command)" : "\(command)"
    }
}
