import Foundation
import PlanCodegen
import Testing

@Suite("Folders of generated code")
final class GeneratedFolderTests {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("codegen-\(UUID().uuidString)").path
    private var job: GenerationJob

    init() {
        job = GenerationJob(schemas: FixturePlan.everything)
        job.folder = path + "/out"
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)  // lost: disk space in the temporary folder
    }

    private func stale() -> String {
        do throws(CodegenError) {
            try job.run(isCheck: true)
            return ""
        } catch { return error.message.replacingOccurrences(of: path + "/", with: "") }
    }

    @Test("are written once, and again only where something changed")
    func writing() throws {
        #expect(
            try job.run().sorted() == [
                "Checkout.swift", "ClientPage.swift", "PromoShown.swift", "SignIn.swift", "SwiftWords.swift",
                "TutorialSkipped.swift",
            ])
        #expect(try job.run().isEmpty)
        try "// changed".write(toFile: path + "/out/SignIn.swift", atomically: true, encoding: .utf8)
        #expect(try job.run() == ["SignIn.swift"])
    }

    @Test("are checked file by file: what is missing, what differs, what is no longer asked for")
    func checking() throws {
        #expect(
            stale() == """
                out/Checkout.swift: missing: generate it again
                out/SignIn.swift: missing: generate it again
                out/SwiftWords.swift: missing: generate it again
                out/TutorialSkipped.swift: missing: generate it again
                out/PromoShown.swift: missing: generate it again
                out/ClientPage.swift: missing: generate it again
                """)
        try job.run()
        #expect(stale() == "")
        let signIn = try String(contentsOfFile: path + "/out/SignIn.swift", encoding: .utf8)
        try signIn.write(toFile: path + "/out/SignUp.swift", atomically: true, encoding: .utf8)
        try (signIn + "//").write(toFile: path + "/out/SignIn.swift", atomically: true, encoding: .utf8)
        try "// by hand".write(toFile: path + "/out/Mine.swift", atomically: true, encoding: .utf8)
        #expect(
            stale() == """
                out/SignIn.swift: not what the schemas say: generate it again
                out/SignUp.swift: its schema is gone: generate again
                """)
        #expect(try job.run() == ["SignIn.swift", "SignUp.swift: removed"])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: path + "/out").sorted()
                == [
                    "Checkout.swift", "ClientPage.swift", "Mine.swift", "PromoShown.swift", "SignIn.swift",
                    "SwiftWords.swift",
                    "TutorialSkipped.swift",
                ])
    }

    @Test("may hold other generated files that are asked for, folders, and a name in other letters")
    func neighbours() throws {
        job.file = path + "/out/../out/All.swift"
        job.examples = path + "/out/SchemaExamples.swift"
        try FileManager.default.createDirectory(atPath: path + "/out/X.swift", withIntermediateDirectories: true)
        #expect(try job.run().count == 8)
        #expect(stale() == "")
        job.examples = nil
        #expect(stale() == "out/SchemaExamples.swift: its schema is gone: generate again")
        #expect(try job.run() == ["SchemaExamples.swift: removed"])
        // Where case does not matter it is the same file, and is there again under its own name afterwards.
        try FileManager.default.moveItem(atPath: path + "/out/SignIn.swift", toPath: path + "/out/Signin.swift")
        #expect(try job.run() == ["SignIn.swift", "Signin.swift: removed"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/out").contains("SignIn.swift"))
    }

    @Test("of domain events are separate: they are written, checked and cleaned with the others")
    func domainEvents() throws {
        job.schemas = FixturePlan.root + "/Schemas"
        (job.isStandard, job.access) = (true, .public)
        job.domainEvents = ["search"]
        job.domainFolder = path + "/domain"
        #expect(
            try job.run() == [
                "Background.swift", "Launch.swift", "NotificationResponse.swift", "PageView.swift", "Search.swift",
            ])
        let search = try String(contentsOfFile: path + "/domain/Search.swift", encoding: .utf8)
        #expect(search.contains("\npublic import TrackingCore\n"))
        #expect(stale() == "")
        try "// changed".write(toFile: path + "/domain/Search.swift", atomically: true, encoding: .utf8)
        #expect(stale() == "domain/Search.swift: not what the schemas say: generate it again")
        try search.write(toFile: path + "/out/Search.swift", atomically: true, encoding: .utf8)
        #expect(try job.run() == ["Search.swift: removed", "Search.swift"])
        #expect(stale() == "")
        job.domainEvents = ["search", "serach"]
        let error = #expect(throws: CodegenError.self) { try job.run() }
        #expect(error?.message == "\(job.schemas) has no event serach: check --domain-events")
    }

    @Test("are not emptied by a folder that holds no schema")
    func nothing() throws {
        try job.run()
        job.schemas = FixturePlan.everything + "/events"
        for isCheck in [false, true] {
            let error = #expect(throws: CodegenError.self) { try job.run(isCheck: isCheck) }
            #expect(error?.code == .schemas)
            #expect(error?.message == "\(job.schemas) holds no schema: name the folder with events/")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/out").count == 6)
    }

    @Test("have a code of their own for files that are stale")
    func status() {
        let error = #expect(throws: CodegenError.self) { try job.run(isCheck: true) }
        #expect(error?.code == .stale)
    }

    @Test("are left alone if a schema is at fault or there is none")
    func issues() throws {
        job.schemas = path + "/none"
        let error = #expect(throws: CodegenError.self) { try job.run() }
        #expect(error?.code == .noFolder)
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
