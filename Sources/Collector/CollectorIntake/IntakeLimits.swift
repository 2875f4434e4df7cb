package import DeliveryProtocol
internal import EventModel

/// The limits of a request. All apply to decompressed bytes, so compression changes no verdict. `collector limits` lists
/// them.
package struct IntakeLimits: Sendable {
    /// The longest body, in bytes. It fits with its header into one Kafka or NATS message.
    package var maximumBytes = 900_000
    /// The maximum number of events in a request.
    package var maximumEvents = 2_500
    /// The longest batch header, in bytes. The admin token may send longer ones.
    package var maximumHeaderBytes = 64 << 10
    /// The maximum number of ranges of missing numbers in a batch header.
    package var maximumMissing = 1_000
    /// The maximum number of ledger rows in a batch header.
    package var maximumLedgerRows = 1_000
    /// The maximum number of steps for checking the lines of a request against the schemas, in the unit of
    /// `ValidationLimits.steps`: some hundred for a typical line, more for patterns and repeated references.
    package static let maximumSteps = 4_000_000
    /// The most bytes of details of all rejected lines, so that a receipt has less than 1 MiB. Later lines have only
    /// their number and code.
    package static let maximumDetailBytes = 512 << 10
    /// The bytes of decompressed bodies that a quota allows for each event: headers and rejected lines count, too.
    package static let bytesPerEvent = 1024
    /// The highest compression ratio of a body. Events typically compress to about a sixth; gzip reaches 1,032.
    package var maximumRatio = 100
    /// The number of decompressed bytes from which the ratio is checked.
    package var ratioFloor = 64 << 10
    /// The highest number of an event that clients may name: the next 2^32 numbers can still be written exactly in JSON.
    package var highestSeq: Int64 = (1 << 53) - (1 << 32)

    package init() {}

    /// The longest message of another system's client, in bytes, with what it shares with others of its request.
    package static let maximumMessageBytes = EventRecord.maximumLineLength
    /// The work for a request of another system's client: the bytes that are read, copied and written, for each of
    /// its body's bytes.
    package static let workPerByte = 64

    /// The limits of requests of other systems' clients, some of which send several MB. What they send is
    /// stored in batches of the usual size.
    package static let clients = {
        var limits = IntakeLimits()
        limits.maximumBytes = 4 << 20
        limits.maximumEvents = 25_000
        return limits
    }()
}

extension IntakeLimits {
    /// Checks the steps for checking a request's lines against the schemas.
    ///
    /// - Throws: ``DeliveryProblem``, `tooLarge`.
    static func check(steps: Int) throws(DeliveryProblem) {
        guard steps <= maximumSteps else {
            throw DeliveryProblem(
                .tooLarge,
                """
                checking the events against their schemas needs more than \(maximumSteps) steps; send fewer events in one \
                request, or simplify the patterns of the schemas
                """)
        }
    }

    /// Checks a number that a client sends.
    ///
    /// - Throws: ``DeliveryProblem``, `tooLarge`.
    package func check(_ seq: Int64) throws(DeliveryProblem) {
        guard seq <= highestSeq else {
            throw DeliveryProblem(
                .tooLarge, "number \(seq) exceeds \(highestSeq), the highest number of an event; start a new install")
        }
    }
}
