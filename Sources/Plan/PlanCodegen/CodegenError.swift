internal import JSONSchema
internal import TrackingPlan

/// The reason why no code was generated.
package struct CodegenError: Error, Sendable, CustomStringConvertible {
    package enum Code: Sendable {
        /// The schemas cannot be translated to Swift.
        case schemas
        /// The folder doesn't exist.
        case noFolder
        /// A file cannot be read or written.
        case inputOutput
        /// Generated files don't match the schemas.
        case stale
    }

    package let code: Code
    /// The error and what to do, one issue on each line.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}

/// A location in a schema that cannot be translated to Swift.
package struct CodegenIssue: Hashable, Sendable, CustomStringConvertible {
    /// The file as messages name it.
    package let file: String
    /// The line and column, from 1. The column counts bytes.
    package let line: Int
    package let column: Int
    /// A JSON pointer (RFC 6901); empty for the whole file.
    package let pointer: String
    /// The issue, and what to write instead.
    package let message: String

    /// The issue as `file:line:column: error: pointer: message`, a form that editors and Xcode can open.
    package var description: String {
        "\(file):\(line):\(column): error: \(pointer.isEmpty ? "" : "\(pointer): ")\(message)"
    }
}

extension CodegenIssue {
    /// Returns the errors of a plan, one on each line, with a location if the error is in one file.
    static func lines(_ error: PlanError, in folder: PlanFolder) -> String {
        let lines = error.message.split(separator: "\n").map { line in
            let file = folder.files.first { line.hasPrefix("\(folder.location(of: $0.path)): ") }
            return file.map { issue(String(line), in: $0, of: folder).description } ?? String(line)
        }
        return lines.joined(separator: "\n")
    }

    private static func issue(_ line: String, in file: PlanFile, of folder: PlanFolder) -> CodegenIssue {
        let location = folder.location(of: file.path)
        var position = (line: 1, column: 1)
        var message = String(line.dropFirst(location.count + 2))
        do throws(JSONTextError) { _ = try JSONDocument(file.bytes) } catch {
            let lines = file.bytes.prefix(error.offset).split(separator: 0x0A, omittingEmptySubsequences: false)
            position = (lines.count, (lines.last?.count ?? 0) + 1)
            message = "not JSON: \(error.reason)"
        }
        return CodegenIssue(
            file: location, line: position.line, column: position.column, pointer: "", message: message)
    }
}
