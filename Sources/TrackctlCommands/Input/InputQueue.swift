internal import ArgumentParser
internal import CommandSupport
internal import EventLog
internal import Tracking

/// The inputs of a command, one after the other. What is at fault is reported, and the rest goes on.
final class InputQueue {
    private let console: Console
    private var paths: ArraySlice<String>
    private var current: (any EventInput)?
    private let atEnd: (any EventInput) throws -> Void
    /// Lines that were left out so far.
    private(set) var faultyLines = 0
    /// What was wrong first.
    private(set) var status = ExitStatus.ok

    /// - Parameter atEnd: Called with each input that was read to its end.
    init(_ paths: [String], console: Console, atEnd: @escaping (any EventInput) throws -> Void = { _ in }) {
        self.paths = paths[...]
        self.console = console
        self.atEnd = atEnd
    }

    /// Shows every event of every input, with the exact bytes of its line, until `body` answers false.
    ///
    /// - Throws: What `body` throws. What is wrong with an input is reported, and the next one read.
    func forEachEvent(withStamps: Bool, _ body: (BorrowedEvent) throws -> Bool) throws {
        var isStopped = false
        while !isStopped, open(), let input = current {
            do {
                try input.forEachEvent(withStamps: withStamps, fault: { note($0) }) { event in
                    console.countEvent()
                    let goesOn: Bool
                    do { goesOn = try body(event) } catch { throw BodyFailure(error: error) }
                    isStopped = !goesOn
                    return goesOn
                }
                current = nil
                try atEnd(input)
            } catch let failure as BodyFailure {
                throw failure.error
            } catch {
                current = nil
                report(error)
            }
        }
    }

    /// An error that is not the input's.
    private struct BodyFailure: Error {
        let error: any Error
    }

    /// The next event, its line parsed; nil after the last input.
    func nextContainer() -> RecordedContainer? { next { try $0.nextContainer() } }

    /// Opens the next input that can be opened, unless one is open.
    ///
    /// - Returns: false if there is none.
    @discardableResult
    func open() -> Bool {
        while current == nil, let path = paths.popFirst() {
            do { current = try openInput(path) } catch { report(error) }
        }
        return current != nil
    }

    /// Says how many lines were left out.
    ///
    /// - Throws: `ExitCode` if anything was wrong; it has been reported.
    func conclude() throws {
        console.clearProgress()
        if faultyLines > 0 {
            console.complain("\(faultyLines.grouped) faulty line\(faultyLines == 1 ? " was" : "s were") left out")
        }
        if status != .ok { throw ExitCode(status.rawValue) }
    }

    private func next<Value>(_ read: (any EventInput) throws -> InputEntry<Value>?) -> Value? {
        while open(), let input = current {
            do {
                switch try read(input) {
                case .event(let value)?:
                    console.countEvent()
                    return value
                case .fault(let fault)?:
                    note(fault)
                case nil:
                    current = nil
                    try atEnd(input)
                }
            } catch {
                current = nil
                report(error)
            }
        }
        return nil
    }

    private func note(_ fault: InputFault) {
        faultyLines += 1
        console.say("\(fault)")
        fail(.dataAtFault)
    }

    private func report(_ error: any Error) {
        let failure = CommandFailure(error)
        console.complain(failure.message)
        fail(failure.status)
    }

    private func fail(_ status: ExitStatus) {
        if self.status == .ok { self.status = status }
    }
}
