import Foundation
import PackagePlugin

/// Generates the event types and the page enum of a target whenever its `Schemas` folder changes.
@main
struct TrackingEventsPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let schemas = target.directoryURL.appending(path: "Schemas", directoryHint: .isDirectory)
        guard FileManager.default.fileExists(atPath: schemas.path) else {
            Diagnostics.error(
                "\(target.name) has no folder Schemas: create Schemas/events/<name>/1-0-0.json or Schemas/pages.json in it"
            )
            return []
        }
        let output = context.pluginWorkDirectoryURL.appending(path: "GeneratedTrackingEvents.swift")
        let inputs = try FileManager.default.subpathsOfDirectory(atPath: schemas.path).sorted()
            .filter { $0.hasSuffix(".json") }.map { schemas.appending(path: $0) }
        return [
            .buildCommand(
                displayName: "Generating the events of \(target.name)",
                executable: try context.tool(named: "tracking-codegen").url,
                arguments: ["--schemas", schemas.path, "--output-file", output.path],
                inputFiles: inputs, outputFiles: [output])
        ]
    }
}
