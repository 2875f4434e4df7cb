extension CompiledPlan {
    /// The plan of the events that the SDK comes with, compiled once a process.
    public static let standard: CompiledPlan? = {
        // A test compiles it: nothing is lost.
        try? CompiledPlan(EventPlan.standard)
    }()
}
