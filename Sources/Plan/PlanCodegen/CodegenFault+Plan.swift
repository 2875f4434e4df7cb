internal import JSONSchema
internal import TrackingPlan

extension CodegenFault {
    /// What is wrong with the plan in a folder, a fault a line, each with its place if it is one file's.
    static func lines(_ error: PlanError, in folder: PlanFolder) -> String {
        let lines = error.message.split(separator: "\n").map { line in
            let file = folder.files.first { line.hasPrefix("\(folder.place(of: $0.path)): ") }
            return file.map { fault(String(line), $0, folder).description } ?? String(line)
        }
        return lines.joined(separator: "\n")
    }

    private static func fault(_ line: String, _ file: PlanFile, _ folder: PlanFolder) -> CodegenFault {
        let place = folder.place(of: file.path)
        var position = (line: 1, column: 1)
        var message = String(line.dropFirst(place.count + 2))
        do throws(JSONTextError) { _ = try JSONDocument(file.bytes) } catch {
            let lines = file.bytes.prefix(error.offset).split(separator: 0x0A, omittingEmptySubsequences: false)
            position = (lines.count, (lines.last?.count ?? 0) + 1)
            message = "not JSON: \(error.reason)"
        }
        return CodegenFault(
            file: place, line: position.line, column: position.column, pointer: "", message: message)
    }
}
