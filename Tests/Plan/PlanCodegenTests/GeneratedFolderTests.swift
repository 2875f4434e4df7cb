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
        try? FileManager.default.removeItem(atPath: path)  // Ignore errors: only temporary disk space is lost.
    }

    private func stale() -> String {
        do throws(CodegenError) {
            try job.run(isCheck: true)
            return ""
        } catch { return error.message.replacingOccurrences(of: path + "/", with: "") }
    }

    @Test("Files are written only if they changed")
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

    @Test("Checks report missing, different and superfluous files")
    func checking() throws {
        #expect(
            stale() == """
                out/Checkout.swift is missing: generate it again
                out/SignIn.swift is missing: generate it again
                out/SwiftWords.swift is missing: generate it again
                out/TutorialSkipped.swift is missing: generate it again
                out/PromoShown.swift is missing: generate it again
                out/ClientPage.swift is missing: generate it again
                """)
        try job.run()
        #expect(stale() == "")
        let signIn = try String(contentsOfFile: path + "/out/SignIn.swift", encoding: .utf8)
        try signIn.write(toFile: path + "/out/SignUp.swift", atomically: true, encoding: .utf8)
        try (signIn + "//").write(toFile: path + "/out/SignIn.swift", atomically: true, encoding: .utf8)
        try "// by hand".write(toFile: path + "/out/Mine.swift", atomically: true, encoding: .utf8)
        #expect(
            stale() == """
                out/SignIn.swift does not match the schemas: generate it again
                out/SignUp.swift has no schema any more: generate again
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

    @Test("Other requested files, folders and names in other case are kept")
    func neighbours() throws {
        job.file = path + "/out/../out/All.swift"
        job.examples = path + "/out/SchemaExamples.swift"
        try FileManager.default.createDirectory(atPath: path + "/out/X.swift", withIntermediateDirectories: true)
        #expect(try job.run().count == 8)
        #expect(stale() == "")
        job.examples = nil
        #expect(stale() == "out/SchemaExamples.swift has no schema any more: generate again")
        #expect(try job.run() == ["SchemaExamples.swift: removed"])
        // On case-insensitive volumes this is the same file, which is written again under its own name.
        try FileManager.default.moveItem(atPath: path + "/out/SignIn.swift", toPath: path + "/out/Signin.swift")
        #expect(try job.run() == ["SignIn.swift", "Signin.swift: removed"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/out").contains("SignIn.swift"))
    }

    @Test("Files of domain events are written, checked and cleaned in a separate folder")
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
        #expect(stale() == "domain/Search.swift does not match the schemas: generate it again")
        try search.write(toFile: path + "/out/Search.swift", atomically: true, encoding: .utf8)
        #expect(try job.run() == ["Search.swift: removed", "Search.swift"])
        #expect(stale() == "")
        job.domainEvents = ["search", "serach"]
        let error = #expect(throws: CodegenError.self) { try job.run() }
        #expect(error?.message == "\(job.schemas) has no event serach: correct --domain-events")
    }

    @Test("A folder without schemas does not empty the output")
    func nothing() throws {
        try job.run()
        job.schemas = FixturePlan.everything + "/events"
        for isCheck in [false, true] {
            let error = #expect(throws: CodegenError.self) { try job.run(isCheck: isCheck) }
            #expect(error?.code == .schemas)
            #expect(error?.message == "\(job.schemas) has no schemas: pass the folder that contains events/")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/out").count == 6)
    }

    @Test("Stale files have a separate error code")
    func status() {
        let error = #expect(throws: CodegenError.self) { try job.run(isCheck: true) }
        #expect(error?.code == .stale)
    }

    @Test("Invalid or missing schemas leave the files unchanged")
    func issues() throws {
        job.schemas = path + "/none"
        let error = #expect(throws: CodegenError.self) { try job.run() }
        #expect(error?.code == .noFolder)
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
