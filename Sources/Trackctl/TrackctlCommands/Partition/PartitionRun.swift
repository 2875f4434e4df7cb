internal import CommandSupport
internal import EventQuery
internal import JSONLines
internal import LogFiles
internal import TextRendering

/// Writes the selected events to the folders of a template.
struct PartitionRun {
    let request: EventRequest
    let template: PartitionTemplate
    let folder: PartitionedFolder

    /// Writes all selected events. If the run fails before all files are complete, it leaves nothing behind.
    ///
    /// - Throws: ``CommandFailure``; `ExitCode` for errors that have been reported.
    func run() throws {
        Interruption.listen()
        let console = Console()
        let stream = EventStream(request, console: console)
        do {
            try CommandFailure.advising(ifInterrupted: "nothing was written: run the same command again") {
                let count = try write(stream)
                try folder.finish()
                console.sayRest()
                console.complain("\(count.counted("event")) in \(folder.count.counted("partition"))")
            }
        } catch {
            folder.abandon()
            throw error
        }
        try stream.conclude()
    }

    private func write(_ stream: EventStream) throws -> Int {
        let scanner = EventLineScanner(template.usesTime ? .time : [])
        var count = 0
        while let chunk = try stream.next() {
            try chunk.forEachLine { line in
                do {
                    let event = try scanner.scan(line.bytes)
                    try folder.append(line.bytes, to: template.folder(of: event))
                    count += 1
                } catch let error as JSONSyntaxError {
                    stream.note(InputError(error, input: stream.inputs[chunk.input].name, line: line.number))
                }
                return true
            }
        }
        return count
    }
}
