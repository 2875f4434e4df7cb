internal import Primitives

/// What doubles do with the calls of a member: count them, record their arguments, and answer.
///
/// Several arguments are a tuple, one is itself, none is `()`. Any thread.
// Its only state is behind a lock. What calls hand over and answers hold need not be Sendable: it goes from the caller to
// the test and back as it would through a double written by hand.
public class DoubleMember<Arguments, Result, Failure: Error, Handler>: @unchecked Sendable {
    enum Answer {
        case value(Result)
        case failure(Failure)
        case handler(Handler)
    }

    /// Answers in order; the last one stays.
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

    /// Answers with values, one for each call; the last one stays. Takes the place of the answers that were given before.
    ///
    /// - Parameter matches: Which calls get them; all if it is not given. Of several conditions that match, the one given
    ///   last counts, and any of them before the answers for all. Called on the thread of the call.
    @discardableResult
    public func answers(
        _ first: Result, _ others: Result..., where matches: (@Sendable (Arguments) -> Bool)? = nil
    ) -> Self {
        script(([first] + others).map(Answer.value), matches)
    }

    /// Fails with an error, from now on. Takes the place of the answers that were given before.
    ///
    /// - Parameter matches: Which calls fail; all if it is not given.
    @discardableResult
    public func fails(with error: Failure, where matches: (@Sendable (Arguments) -> Bool)? = nil) -> Self {
        script([.failure(error)], matches)
    }

    /// Answers with values after those that were given last.
    @discardableResult
    public func thenAnswers(_ first: Result, _ others: Result...) -> Self {
        append(([first] + others).map(Answer.value))
    }

    /// Fails with an error after the answers that were given last.
    @discardableResult
    public func thenFails(with error: Failure) -> Self { append([.failure(error)]) }

    /// The value that a call gets if it has no other answer, for generated code: what was set is what is there.
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
        // Conditions are the test's code, which may read the double: they are asked without the lock.
        let rule = rules.last { $0.matches?(arguments) ?? false } ?? rules.last { $0.matches == nil }
        return state.withLock { state in
            guard let index = state.rules.firstIndex(where: { $0.id == rule?.id }) else {
                // Answers that were replaced while the conditions were asked still count for this call.
                if let answer = rule?.answers.first { return answer }
                let nothing = Result.self == Void.self ? () as? Result : nil
                return (state.kept ?? nothing).map(Answer.value)
            }
            return state.rules[index].answers.count > 1
                ? state.rules[index].answers.removeFirst() : state.rules[index].answers.first
        }
    }

    /// Ends a call that has no answer.
    func unanswered(_ arguments: Arguments) throws(Failure) -> Never {
        let failing = Failure.self == Never.self ? "" : ", or `\(origin.property).fails(with: …)`"
        try end(
            origin.failure(
                .unanswered,
                "was called with (\(DoubleOrigin.text(arguments))) and has no answer: give one before the call, "
                    + "with `\(origin.property).answers(…)`\(failing)"))
    }

    /// Gives an erased answer the type that a generic member asks for.
    func cast<Wanted>(_ answer: Result, to type: Wanted.Type) throws(Failure) -> Wanted {
        if let answer = answer as? Wanted { return answer }
        try end(
            origin.failure(
                .wrongAnswer,
                "was asked for \(type) and answered \(Swift.type(of: answer as Any)): give an answer of that type"))
    }

    /// Reports a failure, and throws it if the member may throw it. Otherwise there is nothing to return to.
    private func end(_ failure: DoubleFailure) throws(Failure) -> Never {
        failure.report()
        if let error = failure as? Failure { throw error }
        fatalError("\(failure)")
    }
}
