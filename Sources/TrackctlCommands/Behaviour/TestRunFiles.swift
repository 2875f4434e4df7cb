internal import BehaviourPages
internal import CommandSupport
internal import JSONLines
internal import LogFiles

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
                } catch let fault as InputFault {
                    throw CommandFailure(.dataAtFault, "\(fault)")
                } catch let error as JSONSyntaxError {
                    let fault = InputFault(error, input: reader.name, line: Int64(number))
                    throw CommandFailure(.dataAtFault, "\(fault); \(TestRunError(.notAStream))")
                } catch let error as TestRunError {
                    throw CommandFailure(.dataAtFault, "\(reader.name):\(number): \(error)")
                }
            }
            do { try run.endStream() } catch {
                throw CommandFailure(.dataAtFault, "\(reader.name):\(max(1, last)): \(error)")
            }
        }
        return run
    }
}
