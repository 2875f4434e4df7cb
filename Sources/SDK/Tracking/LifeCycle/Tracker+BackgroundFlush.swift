internal import TrackingCore

extension Tracker {
    /// Delivers events, and asks the system not to suspend the app meanwhile.
    ///
    /// - Returns: The delivery. Its background time is in effect when this returns.
    @discardableResult
    func flush(in time: any BackgroundTime, named name: String = "Delivering tracked events") -> Task<Void, Never> {
        let time = EndingBackgroundTime(time, name)
        return Task {
            await flush()
            time.end()
        }
    }
}
