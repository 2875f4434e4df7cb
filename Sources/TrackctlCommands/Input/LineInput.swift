internal import EventLog
internal import LogFiles
internal import Tracking

/// The events of a file of JSON lines.
final class LineInput: EventInput {
    private let file: LogFileReader

    init(_ file: LogFileReader) { self.file = file }

    var name: String { file.name }

    func nextRecord() throws -> InputEntry<EventRecord>? {
        try nextContainer().map { entry in
            switch entry {
            case .event(let container): .event(container.recordedEvent.record)
            case .fault(let fault): .fault(fault)
            }
        }
    }

    func nextContainer() throws -> InputEntry<RecordedContainer>? {
        guard let (line, number) = try file.next() else { return nil }
        let place = Int64(number)
        switch line {
        case .complete(let bytes) where bytes.isEmpty || bytes == [UInt8(ascii: "\r")]:
            return .fault(.empty(input: name, line: place))
        case .complete(let bytes):
            do {
                return .event(try RecordedContainer(line: bytes))
            } catch {
                return .fault(InputFault(error, input: name, line: place))
            }
        case .torn: return .fault(.torn(input: name, line: place))
        case .tooLong: return .fault(.tooLong(input: name, line: place))
        }
    }

    func ledger() throws -> [LedgerEntry] { [] }
}
