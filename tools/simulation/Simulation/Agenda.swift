/// Microseconds since 1970 in virtual time.
typealias Microseconds = Int64

extension Microseconds {
    static let millisecond: Microseconds = 1_000
    static let second: Microseconds = 1_000_000
    static let minute: Microseconds = 60_000_000
    static let hour: Microseconds = 3_600_000_000
    static let day: Microseconds = 86_400_000_000
    /// The start of each simulation: 2026-01-01 00:00:00 UTC.
    static let start: Microseconds = 1_767_225_600_000_000

    /// Days, hours, minutes and seconds since ``start``, such as `12 d 03:04:05`.
    var sinceStart: String {
        let seconds = (self - .start) / .second
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(seconds / 86_400) d \(two(seconds / 3600 % 24)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }
}

/// What happens at a point in virtual time.
struct Appointment {
    enum Kind: UInt8 {
        /// A device records events and delivers.
        case session
        /// A pause of a device ends.
        case wake
        /// A request arrives at the balancer.
        case arrival
        /// A device gets an answer, or gives up.
        case answer
        /// A collector forwards.
        case forward
        /// A collector restarts: its forwarder continues from the stored position.
        case restart
        /// The loader reads the stream.
        case load
        /// A push notification makes devices start a session.
        case push
        /// All installs are checked.
        case sweep
    }

    var time: Microseconds
    /// Appointments of the same time keep their order: runs are reproducible.
    var order: UInt32
    var kind: Kind
    /// A device, request or collector.
    var subject: Int32
}

/// A priority queue of appointments: a binary heap.
struct Agenda {
    private var heap: [Appointment] = []
    private var order: UInt32 = 0

    mutating func add(_ kind: Appointment.Kind, _ subject: Int = 0, at time: Microseconds) {
        order &+= 1
        heap.append(Appointment(time: time, order: order, kind: kind, subject: Int32(truncatingIfNeeded: subject)))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard Self.isEarlier(heap[child], heap[parent]) else { break }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    /// Removes the earliest appointment.
    mutating func next() -> Appointment? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        guard !heap.isEmpty else { return first }
        heap[0] = last
        var parent = 0
        while true {
            var child = 2 * parent + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, Self.isEarlier(heap[child + 1], heap[child]) { child += 1 }
            guard Self.isEarlier(heap[child], heap[parent]) else { break }
            heap.swapAt(child, parent)
            parent = child
        }
        return first
    }

    private static func isEarlier(_ left: Appointment, _ right: Appointment) -> Bool {
        left.time < right.time || left.time == right.time && left.order < right.order
    }
}
