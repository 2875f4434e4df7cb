import OpenCombineShim
import Repositories
import RepositoriesTesting
import Testing
import TrackingCore
import TrackingDomainEvents
import TrackingTesting

@testable import ViewModelWithPublishers

@Suite("A view model with publishers")
final class SearchViewModelTests {
    let recorder = TrackingRecorder()
    let scheduler = VirtualTimeScheduler()
    let environment: AppEnvironment
    /// The requests, in order, with the subjects that respond to them.
    var requests: [(query: String, answer: PassthroughSubject<[Repository], RequestFailure>)] = []
    lazy var screen: any SearchViewModelType = SearchViewModel(environment: environment, scheduler: scheduler) {
        [unowned self] query in
        let answer = PassthroughSubject<[Repository], RequestFailure>()
        requests.append((query, answer))
        return answer.eraseToAnyPublisher()
    }

    init() { environment = .mock(recording: recorder) }

    func type(_ text: String) {
        screen.inputs.textChanged(text)
        scheduler.advance(by: .milliseconds(300))
    }

    @Test("each appearance fires a page view", arguments: [1, 2, 5])
    func appearances(times: Int) {
        for _ in 0..<times { screen.inputs.viewDidAppear() }
        recorder.expectCount(times, of: .event(.pageView(.repositorySearch)))
    }

    @Test("typing starts a search after a pause of 300 ms")
    func typing() {
        for text in ["f", "fl", "flux"] {
            screen.inputs.textChanged(text)
            recorder.expect { scheduler.advance(by: .milliseconds(299)) }
        }
        recorder.expect(.search(query: "flux", page: 1)) { scheduler.advance(by: .milliseconds(1)) }
        recorder.expect { scheduler.advance(by: .seconds(10)) }
        #expect(requests.map(\.query) == ["flux"])
    }

    @Test("an empty text and a repeated text fire nothing")
    func nothingNew() {
        recorder.expect { type("") }
        recorder.expect(.search(query: "flux", page: 1)) { type("flux") }
        recorder.expect { type("flux") }
    }

    @Test("a search updates its outputs, each only when its value changes")
    func searching() {
        let searching = StateRecorder { screen.outputs.isSearching.sink(receiveValue: $0) }
        let repositories = StateRecorder { screen.outputs.repositories.sink(receiveValue: $0) }
        let failures = StateRecorder { screen.outputs.failure.sink(receiveValue: $0) }
        type("flux")
        requests[0].answer.send([.flux, .swift])
        #expect(searching.values == [false, true, false])
        #expect(repositories.values == [[], [.flux, .swift]])
        #expect(failures.values == [nil])
        recorder.expect(.search(query: "flux", page: 1))
    }

    @Test("a late response to an earlier search is ignored")
    func lateAnswer() {
        let repositories = StateRecorder { screen.outputs.repositories.sink(receiveValue: $0) }
        type("flux")
        type("swift")
        requests[0].answer.send([.flux])
        requests[1].answer.send([.swift])
        #expect(repositories.values == [[], [.swift]])
        recorder.expect(.search(query: "flux", page: 1), .search(query: "swift", page: 1))
    }

    @Test("a retry repeats the failed search, and fires nothing without a failure")
    func retry() throws {
        let searching = StateRecorder { screen.outputs.isSearching.sink(receiveValue: $0) }
        let failures = StateRecorder { screen.outputs.failure.sink(receiveValue: $0) }
        recorder.expect { screen.inputs.retryTapped() }
        recorder.expect(.search(query: "flux", page: 1)) { type("flux") }
        requests[0].answer.send(completion: .failure(.offline))
        recorder.expect(.search(query: "flux", page: 1)) { screen.inputs.retryTapped() }
        try #require(requests.count == 2)
        requests[1].answer.send([.flux])
        recorder.expect { screen.inputs.retryTapped() }
        #expect(searching.values == [false, true, false, true, false])
        #expect(failures.values == [nil, .offline, nil])
    }

    @Test("the number of subscribers does not change what fires", arguments: [0, 1, 3])
    func observers(count: Int) {
        let recorders = (0..<count).map { _ in
            StateRecorder { screen.outputs.repositories.sink(receiveValue: $0) }
        }
        type("flux")
        requests[0].answer.send([.flux])
        for recorder in recorders { #expect(recorder.values == [[], [.flux]]) }
        recorder.expect(.search(query: "flux", page: 1))
    }

    @Test("a row opens its repository; an invalid row does nothing")
    func rows() {
        screen.inputs.rowTapped(0)
        type("flux")
        requests[0].answer.send([.flux, .swift])
        screen.inputs.rowTapped(1)
        screen.inputs.rowTapped(2)
        recorder.expectSteps(.event(.search(query: "flux", page: 1)), .route(AppRoute.detail(.swift)))
    }

    @Test("releasing a recorder ends its subscription")
    func ending() {
        let source = PassthroughSubject<Int, Never>()
        var isCancelled = false
        var values: StateRecorder<Int>? = StateRecorder {
            source.handleEvents(receiveCancel: { isCancelled = true }).sink(receiveValue: $0)
        }
        source.send(1)
        #expect(values?.values == [1])
        #expect(!isCancelled)
        values = nil
        #expect(isCancelled)
    }
}
