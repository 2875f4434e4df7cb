internal import EventModel
internal import TrackingPlan

/// An event of a log: what makes its values, and how often it comes.
struct FakeEvent {
    /// When it comes in a session.
    enum Turn {
        case first, last, between
    }

    let schema: PlanSchema
    let maker: ValueMaker
    let turn: Turn
    /// Among those that come between, how likely it is.
    let weight: Int

    init(_ schema: PlanSchema, _ maker: ValueMaker) {
        self.schema = schema
        self.maker = maker
        switch schema.name {
        case "launch": turn = .first
        case "background": turn = .last
        default: turn = .between
        }
        let words = schema.name.split(separator: "-")
        weight = Self.weights.first { words.contains($0.word) }?.weight ?? 15
    }

    /// People look at more screens than they search, and search more often than anything fails.
    private static let weights: [(word: Substring, weight: Int)] = [
        ("view", 60), ("screen", 60), ("search", 25), ("notification", 5), ("error", 2), ("crash", 2), ("failed", 2),
    ]
}
