internal import Primitives

/// Records the calls of a double's member and answers them.
///
/// Several arguments are recorded as a tuple, a single argument as itself, no arguments as `()`. Thread-safe.
// All state is behind a lock. Arguments and answers need not be Sendable: they pass between the caller and the test, as
// in a handwritten double.
public class DoubleMember<Arguments, Result, Failure: Error, Handler>: @unchecked Sendable {
    enum Answer {
        case value(Result)
        case failure(Failure)
        case handler(Handler)
    }

    /// Answers in order. The last answer is repeated.
    private struct Rule {
        let id: Int
        let matches: ((Arguments) -> Bool)?
        var answers: [Answer]
    }

    private struct State {
        var calls: [Arguments] = []
        var rules: [Rule] = []
        var kept: Result?
        var lastID = 0
    }

    private let state = Locked(State())
    let origin: DoubleOrigin

    init(member origin: DoubleOrigin) { self.origin = origin }

    /// The arguments of every call, in order.
    public var calls: [Arguments] { state.withLock { $0.calls } }

    /// Answers with values, one per call. The last value is repeated. Replaces earlier answers with the same condition.
    ///
    /// - Parameter matches: The calls to answer. Default: all. If several conditions match, the most recent answer is
    ///   used. Answers with a condition take precedence over answers for all calls. Called on the calling thread.
    @discardableResult
    public func answers(
        _ first: Result, _ others: Result..., where matches: (@Sendable (Arguments) -> Bool)? = nil
    ) -> Self {
        script(([first] + others).map(Answer.value), matches)
    }

    /// Fails with an error from now on. Replaces earlier answers with the same condition.
    ///
    /// - Parameter matches: The calls that fail. Default: all.
    @discardableResult
    public func fails(with error: Failure, where matches: (@Sendable (Arguments) -> Bool)? = nil) -> Self {
        script([.failure(error)], matches)
    }

    /// Adds values after the most recent answers.
    @discardableResult
    public func thenAnswers(_ first: Result, _ others: Result...) -> Self {
        append(([first] + others).map(Answer.value))
    }

    /// Adds an error after the most recent answers.
    @discardableResult
    public func thenFails(with error: Failure) -> Self { append([.failure(error)]) }

    /// Sets the value that a call returns if it has no other answer. For generated code: properties return the value
    /// that was set.
    public func keep(_ value: Result) { state.withLock { $0.kept = value } }

    func script(_ answers: [Answer], _ matches: ((Arguments) -> Bool)?) -> Self {
        state.withLock { state in
            state.lastID += 1
            if matches == nil { state.rules.removeAll { $0.matches == nil } }
            state.rules.append(Rule(id: state.lastID, matches: matches, answers: answers))
        }
        return self
    }

    private func append(_ answers: [Answer]) -> Self {
        let isAdded = state.withLock { state in
            guard let last = state.rules.indices.max(by: { state.rules[$0].id < state.rules[$1].id }) else {
                return false
            }
            state.rules[last].answers += answers
            return true
        }
        return isAdded ? self : script(answers, nil)
    }

    /// Records a call and chooses its answer; nil if there is none.
    func answer(to arguments: Arguments) -> Answer? {
        origin.order.withLock { $0.append(origin.signature) }
        let rules = state.withLock { state in
            state.calls.append(arguments)
            return state.rules
        }
        // Conditions are test code, which may read the double: evaluate them without the lock.
        let rule = rules.last { $0.matches?(arguments) ?? false } ?? rules.last { $0.matches == nil }
        return state.withLock { state in
            guard let index = state.rules.firstIndex(where: { $0.id == rule?.id }) else {
                // Answers that were replaced during the evaluation still apply to this call.
                if let answer = rule?.answers.first { return answer }
                let nothing = Result.self == Void.self ? () as? Result : nil
                return (state.kept ?? nothing).map(Answer.value)
            }
            return state.rules[index].answers.count > 1
                ? state.rules[index].answers.removeFirst() : state.rules[index].answers.first
        }
    }

    /// Fails a call that has no answer.
    func unanswered(_ arguments: Arguments) throws(Failure) -> Never {
        let failing = Failure.self == Never.self ? "" : ", or `\(origin.property).fails(with: …)`"
        try end(
            origin.failure(
                .unanswered,
                "was called with (\(DoubleOrigin.text(arguments))) but has no answer: set one before the call, "
                    + "with `\(origin.property).answers(…)`\(failing)"))
    }

    /// Casts an erased answer to the type that a generic member requires.
    func cast<Wanted>(_ answer: Result, to type: Wanted.Type) throws(Failure) -> Wanted {
        if let answer = answer as? Wanted { return answer }
        try end(
            origin.failure(
                .wrongAnswer,
                "was asked for \(type) and answered \(Swift.type(of: answer as Any)): set an answer of that type"))
    }

    /// Reports a failure, and throws it if the member can throw it. Otherwise stops the process, since there is no
    /// value to return.
    private func end(_ failure: DoubleFailure) throws(Failure) -> Never {
        failure.report()
        if let error = failure as? Failure { throw error }
        fatalError("\(failure)")
    }
}
