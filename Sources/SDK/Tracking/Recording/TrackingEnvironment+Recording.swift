extension TrackingEnvironment {
    /// Does what an input asks for, and records the input if there is a recording; see
    /// ``EnvironmentRecording/input(_:perform:)``.
    public func input<Input: Encodable, Result>(_ input: Input, perform: () throws -> Result) rethrows -> Result {
        guard let recording else { return try perform() }
        return try recording.input(input, perform: perform)
    }

    /// Draws a value from outside, and records it if there is a recording; see ``EnvironmentRecording/value(_:draw:)``.
    public func value<Value: Codable>(_ domain: String, draw: () -> Value) -> Value {
        guard let recording else { return draw() }
        return recording.value(domain, draw: draw)
    }
}
