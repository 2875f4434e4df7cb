import Foundation
import Testing

@testable import Scaffolding

@Suite("Reserved names")
struct ReservedTypeTests {
    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../Sources").standardized

    /// The public top-level types of a module.
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
        "The lists of the SDK's types match its sources",
        arguments: [
            (
                ReservedType.tracking,
                ["SDK/Tracking", "SDK/TrackingCore", "SDK/Flux", "SDK/EventLog", "Core/EventModel", "Core/JSONLines"]
            ),
            (ReservedType.trackingDomainEvents, ["SDK/TrackingDomainEvents"]),
            (ReservedType.trackingHTTP, ["SDK/TrackingHTTP", "SDK/DeliveryHTTP"]),
            (ReservedType.trackingTesting, ["SDK/TrackingTesting", "Plan/TrackingPlan", "SDK/TrackingValidation"]),
        ])
    func whole(list: String, modules: [String]) throws {
        let declared = Set(try modules.flatMap(Self.publicTypes))
        #expect(declared.subtracting(ReservedType.names(list).map(String.init)).sorted() == [])
        #expect(Set(ReservedType.names(list).map(String.init)).subtracting(declared).sorted() == [])
    }

    @Test(
        "Each list is sorted and has no duplicates",
        arguments: [
            ReservedType.swift, ReservedType.foundation, ReservedType.testing, ReservedType.xcTest,
            ReservedType.tracking,
            ReservedType.trackingDomainEvents, ReservedType.trackingHTTP, ReservedType.trackingTesting,
            ReservedType.modules,
        ])
    func sorted(list: String) {
        let names = ReservedType.names(list).map(String.init)
        #expect(names == Set(names).sorted())
    }

    @Test(
        "A reserved name is reported with its owner",
        arguments: [
            ("Error", "that of Swift"), ("Data", "that of Foundation"), ("Tag", "that of Testing"),
            ("XCTestCase", "that of XCTest"), ("TrackingEvent", "that of Tracking"),
            ("HTTPSink", "that of TrackingHTTP"),
            ("EventPattern", "that of TrackingTesting"), ("Tracking", "the module of that name"),
        ])
    func owners(name: String, owner: String) {
        #expect(ReservedType.named(name)?.owner == owner)
    }

    @Test("Names that only the app declares are free")
    func free() {
        #expect(["Basket", "LogOut", "ErrorViewModel"].compactMap(ReservedType.named) == [])
    }

    @Test(
        "The suggested name has a free type",
        arguments: [("error", "error-event"), ("tracking", "app-tracking"), ("fake", "app-fake")])
    func alternatives(text: String, alternative: String) throws {
        #expect(try ScaffoldName(text, of: "event").alternative == alternative)
    }
}
