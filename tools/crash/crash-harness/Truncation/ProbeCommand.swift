import ArgumentParser
import CrashSupport
import Foundation

/// `probe`: a child process that tries damaged copies of a scene. A trap ends the child, not the harness.
struct ProbeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "probe", shouldDisplay: false)

    @Option var scene: String
    @Option var file: String
    @Option var damage: Damage
    @Option var expectation: String
    @Option(help: "First part of the cases.")
    var from: Int
    @Option(help: "At most N cases. Default all.")
    var cases: Int?
    @Option var seed: UInt64
    @Option var notebook: String
    @Option var work: String
    @Option(help: "Trap in this part of the cases: shows that the harness sees it.")
    var trapAt: Int?

    func run() async throws {
        OrphanWatch.start()
        let scene = try Scene(scene)
        let expectation = try JSONDecoder().decode(
            Scene.Expectation.self, from: Data(contentsOf: URL(fileURLWithPath: expectation)))
        let notes = try Notebook(opening: notebook)
        let probe = ProbeCase(scene: scene, expectation: expectation, file: file)
        guard let image = scene.image(file) else { throw HarnessError("the scene has no \(file)") }
        let folder = "\(work)/case"
        let selection = CaseSelection(
            count: damage.caseCount(image, old: scene.old[file]), maximum: cases, seed: seed)
        for part in from..<selection.partCount {
            let number = selection.number(part)
            notes.begin(lane: 0, number: part + 1)
            var damaged = image
            let length = damage.apply(number, to: &damaged, old: scene.old[file], seed: seed)
            if FileManager.default.fileExists(atPath: folder) { try FileManager.default.removeItem(atPath: folder) }
            for other in scene.images where other.name != file { try other.write(to: folder) }
            try damaged.write(to: folder)
            if part == trapAt { preconditionFailure("asked for") }
            let outcome = await probe.check(folder, length: length, name: "\(file) \(damage.rawValue) \(number)")
            for (fault, count) in outcome.findings.counts {
                StandardOutput.note("\(fault.rawValue)\t\(count)\t\(outcome.findings.examples[fault]?.first ?? "")")
            }
            notes.acknowledge(lane: 0, number: 1, seq: Int64(outcome.found) + 1)
        }
    }
}
