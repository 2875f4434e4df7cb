internal import CommandSupport
internal import EventLog
internal import LogFiles
internal import Tracking

/// The events of a file of JSON lines.
final class LineInput: EventInput {
    private let file: LogFileReader

    init(_ file: LogFileReader) { self.file = file }

    var name: String { file.name }

    func forEachEvent(
        withStamps: Bool, fault: (InputFault) -> Void, _ body: (BorrowedEvent) throws -> Bool
    ) throws {
        while let entry = try nextContainer() {
            switch entry {
            case .event(let container): guard try container.recordedEvent.record.borrowed(body) else { return }
            case .fault(let found): fault(found)
            }
        }
    }

    func nextContainer() throws -> InputEntry<RecordedContainer>? {
        guard let (line, number) = try file.next() else { return nil }
        do {
            return .event(try RecordedContainer(line: try line.content(input: name, line: Int64(number))))
        } catch let fault as InputFault {
            return .fault(fault)
        } catch {
            return .fault(InputFault(error, input: name, line: Int64(number)))
        }
    }

    func ledger() throws -> [LedgerEntry] { [] }
}
