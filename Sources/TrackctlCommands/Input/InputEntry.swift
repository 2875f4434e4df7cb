internal import CommandSupport

/// What an input has next.
enum InputEntry<Value> {
    case event(Value)
    /// A line that is left out.
    case fault(InputFault)
}
