import Foundation
import Primitives
import TrackingCore
import TrackingDomainEvents
import TrackingReplay

/// The routes of the small app of these tests.
enum NotesRoute: RouteCommand, Codable { case list, note(Int) }

/// The app's inputs.
enum NotesInput: Codable, Sendable {
    case opened(NotesRoute)
    case wrote(String)
    case rolled
    case reminded(Date, Data)
    case asked(String)
    case answered(request: Int, String)
    case signedIn(String)
    case signedOut
    case served(user: String, String)
}

enum NotesAction: Encodable, Sendable { case added(String) }

struct NotesActionCreator: ActionCreator {
    let dispatcher: FluxDispatcher<NotesAction>
}

/// An app for notes: it calls a server, rolls a die, identifies its user, and has its own domain.
final class NotesApp: ReplayedApp {
    typealias Route = NotesRoute

    /// Changes to the app before a replay.
    enum Change: CaseIterable { case firesLess, firesMore, asksElsewhere, reducesOtherwise }

    let environment: TrackingEnvironment<NotesRoute>
    let notes: FluxDomain<NotesActionCreator, [String]>
    /// The server's responses, by question. An unknown question waits.
    let server: [String: String]
    private let change: Change?
    private let open = Locked((count: 0, questions: [Int: String]()))

    init(_ environment: TrackingEnvironment<NotesRoute>, server: [String: String] = [:], change: Change? = nil) {
        self.environment = environment
        self.server = server
        self.change = change
        let dispatcher = FluxDispatcher<NotesAction>()
        environment.recording?.observe(dispatcher, as: "notes")
        notes = FluxDomain(NotesActionCreator(dispatcher: dispatcher), initial: []) { notes, action in
            if case .added(let text) = action { notes.append(text) }
        }
    }

    var stores: [ReplayedStore] { [ReplayedStore("notes", notes.store.state)] }

    func perform(_ input: NotesInput) {
        environment.input(input) { act(on: input) }
    }

    private func act(on input: NotesInput) {
        switch input {
        case .opened(let route):
            environment.show(route)
            environment.tracking.send(PageView(page: "\(route)"))
        case .wrote(let text):
            if change != .firesLess { environment.tracking.send(.search(query: text, page: 1)) }
            if change == .firesMore { environment.tracking.send(.background) }
            notes.dispatcher.dispatch(.added(change == .reducesOtherwise ? text.uppercased() : text))
        case .served(let user, let text):
            environment.tracking.as(user: user)?.send(.search(query: text, page: 1))
        case .rolled:
            let dice = environment.value("dice") { Int.random(in: 1...1_000_000) }
            notes.dispatcher.dispatch(.added("\(dice) at \(environment.clock.now.microseconds)"))
        case .reminded(let date, let key):
            notes.dispatcher.dispatch(.added("\(date.timeIntervalSince1970) \(key.count)"))
        case .asked(let question): ask(question)
        case .answered(let request, let text):
            let question = open.withLock { $0.questions.removeValue(forKey: request) }
            notes.dispatcher.dispatch(.added("\(question ?? "nobody"): \(text)"))
        case .signedIn(let user): environment.tracking.identify(user)
        case .signedOut: environment.tracking.reset()
        }
    }

    private func ask(_ question: String) {
        let number = open.withLock { open in
            open.count += 1
            open.questions[open.count] = question
            return open.count
        }
        environment.recording?.request("server", change == .asksElsewhere ? question.uppercased() : question)
        if let answer = server[question] { perform(.answered(request: number, answer)) }
        notes.dispatcher.dispatch(.added("asked"))
    }
}
