internal import JSONSchema
internal import TrackingPlan

/// Why no code was made.
package struct CodegenError: Error, Sendable, CustomStringConvertible {
    /// What kind of fault it is.
    package enum Code: Sendable {
        /// Schemas cannot become code.
        case schemas
        /// There is no such folder.
        case noFolder
        /// A file cannot be read or written.
        case inputOutput
        /// Files are not what the schemas make of them.
        case stale
    }

    package let code: Code
    /// What is wrong and what to do, one fault a line.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    package var description: String { message }
}

/// A place of a schema that cannot become Swift code.
package struct CodegenIssue: Hashable, Sendable, CustomStringConvertible {
    /// The file as messages name it.
    package let file: String
    /// Both from 1; the column counts bytes.
    package let line: Int
    package let column: Int
    /// A JSON pointer (RFC 6901); empty for the whole.
    package let pointer: String
    /// What is wrong, and what to write instead.
    package let message: String

    /// `file:line:column: error: pointer: message`, which editors and Xcode can jump to.
    package var description: String {
        "\(file):\(line):\(column): error: \(pointer.isEmpty ? "" : "\(pointer): ")\(message)"
    }
}

extension CodegenIssue {
    /// What is wrong with the plan in a folder, a fault a line, each with its place if it is one file's.
    static func lines(_ error: PlanError, in folder: PlanFolder) -> String {
        let lines = error.message.split(separator: "\n").map { line in
            let file = folder.files.first { line.hasPrefix("\(folder.location(of: $0.path)): ") }
            return file.map { issue(String(line), $0, folder).description } ?? String(line)
        }
        return lines.joined(separator: "\n")
    }

    private static func issue(_ line: String, _ file: PlanFile, _ folder: PlanFolder) -> CodegenIssue {
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
