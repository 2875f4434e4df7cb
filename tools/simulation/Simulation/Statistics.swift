import TrackingCore

/// What a run counted.
struct Statistics: Sendable {
    var installs: Int64 = 0
    var devices: Int64 = 0
    var events: Int64 = 0
    var requests: Int64 = 0
    var failedRequests: Int64 = 0
    var batches: Int64 = 0
    var repeatedBatches: Int64 = 0
    var messages: Int64 = 0
    var streamDuplicates: Int64 = 0
    var blocks: Int64 = 0
    var repeatedBlocks: Int64 = 0
    var loadedEvents: Int64 = 0
    var rows: Int64 = 0
    var duplicates: Int64 = 0
    var forks: Int64 = 0
    var clones: Int64 = 0
    var restores: Int64 = 0
    var otherSecrets: Int64 = 0
    var reinstalls: Int64 = 0
    var clockJumps: Int64 = 0
    var newGenerations: Int64 = 0
    var copiedInstallsFound: Int64 = 0
    var verdicts: Int64 = 0
    var gapsNoticed: Int64 = 0
    var gapsRequested: Int64 = 0
    var gapsFilled: Int64 = 0
    var gapsOpen: Int64 = 0
    var discarded: Int64 = 0
    var rejected: Int64 = 0
    var moved: Int64 = 0
    var copiedAndStored: Int64 = 0
    var lost: Int64 = 0
    var waiting: Int64 = 0
    var stored: Int64 = 0
    /// The time in `LineRegister` and `InstallAccounts`, in nanoseconds, and the size of their database in bytes.
    var loaderTime: Int64 = 0
    var stateBytes: Int64 = 0
    /// For each outage of all collectors: the devices that wait for a retry at its end, and the requests in each period of
    /// ``RequestRate/period`` after it.
    var waitingDevices: [Int64] = []
    var afterOutage: [[Int64]] = []

    mutating func add(_ other: Statistics) {
        for path in Self.sums { self[keyPath: path] += other[keyPath: path] }
        if waitingDevices.isEmpty {
            (waitingDevices, afterOutage) = (other.waitingDevices, other.afterOutage)
        } else {
            for outage in waitingDevices.indices {
                waitingDevices[outage] += other.waitingDevices[outage]
                for slot in afterOutage[outage].indices { afterOutage[outage][slot] += other.afterOutage[outage][slot] }
            }
        }
    }

    private static var sums: [WritableKeyPath<Statistics, Int64>] {
        [
            \.installs, \.devices, \.events, \.requests, \.failedRequests, \.batches, \.repeatedBatches, \.messages,
            \.streamDuplicates, \.blocks, \.repeatedBlocks, \.loadedEvents, \.rows, \.duplicates, \.forks, \.clones,
            \.restores, \.otherSecrets, \.reinstalls, \.clockJumps, \.newGenerations, \.copiedInstallsFound, \.verdicts,
            \.gapsNoticed, \.gapsRequested, \.gapsFilled, \.gapsOpen, \.discarded, \.rejected, \.moved,
            \.copiedAndStored,
            \.lost, \.waiting, \.stored, \.loaderTime, \.stateBytes,
        ]
    }
}

/// The request rate after an outage of all collectors, and its bound.
///
/// A device that failed often waits for a random time between 1 second and 15 minutes (`BackOff`), 450 seconds on average.
/// Of W waiting devices, W / 450 return per second, if their waits are independent. The bound is twice that, plus twice the
/// mean rate, plus six standard deviations of a Poisson distribution. Devices without jitter that failed at the same moment
/// return at the same moment: W in one period.
enum RequestRate {
    static let period = 10 * Microseconds.second
    static let periods = 180
    /// In seconds: half of the longest wait.
    static let meanWait = BackOff.wait(failures: 60) { $0 } / .seconds(2)

    static func bound(waiting: Int64, meanPerPeriod: Double) -> Double {
        let expected = 2 * (Double(waiting) * Double(period) / 1e6 / meanWait + meanPerPeriod)
        return expected + 6 * expected.squareRoot() + 10
    }
}
