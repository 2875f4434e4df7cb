internal import CommandSupport
internal import JSONLines
internal import LogFiles
internal import ReportPages

/// Files that runs of tests wrote.
enum TestRunFiles {
    /// Reads event streams, one line at a time.
    ///
    /// - Throws: `LogFileError`; ``CommandFailure``, `dataAtFault`, with the place of what is wrong.
    static func read(_ paths: [String]) throws -> TestRun {
        var run = TestRun()
        for path in paths {
            let reader = try LogFileReader(path: path)
            var last = 0
            while let (line, number) = try reader.next() {
                last = number
                do {
                    try run.add(try JSONParser.parse(try line.content(input: reader.name, line: Int64(number))))
                } catch {
                    throw failure(error, input: reader.name, line: number)
                }
            }
            do { try run.endStream() } catch { throw failure(error, input: reader.name, line: max(1, last)) }
        }
        return run
    }

    private static func failure(_ error: any Error, input: String, line: Int) -> CommandFailure {
        let text =
            switch error {
            case let fault as InputFault: "\(fault)"
            case is JSONSyntaxError:
                "\(InputFault(error, input: input, line: Int64(line))); \(TestRunError(.notAStream))"
            default: "\(input):\(line): \(error)"
            }
        return CommandFailure(.dataAtFault, text)
    }
}
