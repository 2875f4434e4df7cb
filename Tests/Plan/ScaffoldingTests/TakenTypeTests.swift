import Foundation
import Testing

@testable import Scaffolding

@Suite("Names that Swift and the SDK have already")
struct TakenTypeTests {
    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../Sources").standardized

    /// The public types of a module that stand in no other type or extension.
    private static func publicTypes(of module: String) throws -> [String] {
        let folder = sources.appendingPathComponent(module)
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        return try files.flatMap { file in
            let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
            let declarations = text.matches(
                of:
                    /^(?:@\w+(?:\([^)]*\))? )*public (?:(?:final|indirect|nonisolated) )*(?:class|struct|enum|protocol|actor|typealias) (\w+)/
                    .anchorsMatchLineEndings())
            return declarations.map { String($0.1) }
        }
    }

    @Test(
        "The lists of the SDK's types are those that its sources declare",
        arguments: [
            (
                TakenType.tracking,
                ["SDK/Tracking", "SDK/TrackingCore", "SDK/Flux", "SDK/EventLog", "Core/EventModel", "Core/JSONLines"]
            ),
            (TakenType.trackingDomainEvents, ["SDK/TrackingDomainEvents"]),
            (TakenType.trackingHTTP, ["SDK/TrackingHTTP", "SDK/DeliveryHTTP"]),
            (TakenType.trackingTesting, ["SDK/TrackingTesting", "Plan/TrackingPlan", "SDK/TrackingValidation"]),
        ])
    func whole(list: String, modules: [String]) throws {
        let declared = Set(try modules.flatMap(Self.publicTypes))
        #expect(declared.subtracting(TakenType.names(list).map(String.init)).sorted() == [])
        #expect(Set(TakenType.names(list).map(String.init)).subtracting(declared).sorted() == [])
    }

    @Test(
        "Each list is sorted, and has each name once",
        arguments: [
            TakenType.swift, TakenType.foundation, TakenType.testing, TakenType.xcTest, TakenType.tracking,
            TakenType.trackingDomainEvents, TakenType.trackingHTTP, TakenType.trackingTesting, TakenType.modules,
        ])
    func sorted(list: String) {
        let names = TakenType.names(list).map(String.init)
        #expect(names == Set(names).sorted())
    }

    @Test(
        "A name is told with whose it is",
        arguments: [
            ("Error", "that of Swift"), ("Data", "that of Foundation"), ("Tag", "that of Testing"),
            ("XCTestCase", "that of XCTest"), ("TrackingEvent", "that of Tracking"),
            ("HTTPSink", "that of TrackingHTTP"),
            ("EventPattern", "that of TrackingTesting"), ("Tracking", "the module of that name"),
        ])
    func owners(name: String, owner: String) {
        #expect(TakenType.named(name)?.owner == owner)
    }

    @Test("Names that an app gives its own are free")
    func free() {
        #expect(["Basket", "LogOut", "ErrorViewModel"].compactMap(TakenType.named) == [])
    }

    @Test(
        "Another name is one whose type is free",
        arguments: [("error", "error-event"), ("tracking", "app-tracking"), ("fake", "app-fake")])
    func alternatives(text: String, alternative: String) throws {
        #expect(try ScaffoldName(text, of: "event").alternative == alternative)
    }
}
