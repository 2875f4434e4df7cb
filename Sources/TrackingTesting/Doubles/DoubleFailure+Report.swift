internal import Testing

extension DoubleFailure {
    /// Makes the failure one of the test that runs. The one place where doubles meet a test library.
    func report() {
        let location = place.map {
            SourceLocation(fileID: $0.fileID, filePath: $0.filePath, line: $0.line, column: $0.column)
        }
        if let location {
            Issue.record("\(message)", sourceLocation: location)
        } else {
            Issue.record("\(message)")
        }
    }
}
