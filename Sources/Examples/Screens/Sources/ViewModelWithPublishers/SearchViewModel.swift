internal import OpenCombineShim
internal import Repositories
internal import TrackingCore
internal import TrackingDomainEvents

/// The search screen as a view model with inputs and outputs, whose outputs are publishers, as in Kickstarter's apps.
///
/// - Used by: teams with Combine, OpenCombine, ReactiveSwift or RxSwift, whose views bind to streams.
/// - Where events fire: in the pipeline, just before the request; never in a subscription to an output, because outputs
///   may have any number of subscriptions.
/// - What the tests assert: all values of each output, and what fired when; the test controls the scheduler's time.
///
/// Use it only on its scheduler's thread.
final class SearchViewModel: SearchViewModelType, SearchViewModelInputs, SearchViewModelOutputs {
    /// Starts a search; its publisher sends one response.
    typealias Search = (_ query: String) -> AnyPublisher<[Repository], RequestFailure>

    /// The pause in typing before the text is searched for: 300 ms.
    static let typingPauseInMilliseconds = 300

    private let environment: AppEnvironment
    private let typed = PassthroughSubject<String, Never>()
    /// The queries: typed or retried.
    private let queries = PassthroughSubject<String, Never>()
    private let searching = CurrentValueSubject<Bool, Never>(false)
    private let found = CurrentValueSubject<[Repository], Never>([])
    private let failed = CurrentValueSubject<RequestFailure?, Never>(nil)
    private var submitted = ""
    private var subscriptions: Set<AnyCancellable> = []

    /// Creates the view model.
    ///
    /// - Parameter scheduler: Measures the pause in typing; in an app, the main queue.
    init(environment: AppEnvironment, scheduler: some Scheduler, search: @escaping Search) {
        self.environment = environment
        typed
            .debounce(for: .milliseconds(Self.typingPauseInMilliseconds), scheduler: scheduler)
            .filter { !$0.isEmpty }
            .removeDuplicates()
            .subscribe(queries)
            .store(in: &subscriptions)
        queries
            .handleEvents(receiveOutput: { [weak self] query in self?.willSearch(for: query) })
            .map { query in search(query).map(Result.success).catch { Just(Result.failure($0)) } }
            .switchToLatest()
            .sink { [weak self] answer in self?.receive(answer) }
            .store(in: &subscriptions)
    }

    var inputs: any SearchViewModelInputs { self }
    var outputs: any SearchViewModelOutputs { self }

    func viewDidAppear() { environment.tracking.send(.pageView(.repositorySearch)) }

    func textChanged(_ text: String) { typed.send(text) }

    func retryTapped() {
        if failed.value != nil { queries.send(submitted) }
    }

    func rowTapped(_ row: Int) {
        if found.value.indices.contains(row) { environment.show(.detail(found.value[row])) }
    }

    var isSearching: AnyPublisher<Bool, Never> { searching.removeDuplicates().eraseToAnyPublisher() }
    var repositories: AnyPublisher<[Repository], Never> { found.removeDuplicates().eraseToAnyPublisher() }
    var failure: AnyPublisher<RequestFailure?, Never> { failed.removeDuplicates().eraseToAnyPublisher() }

    private func willSearch(for query: String) {
        submitted = query
        environment.tracking.send(.search(query: query, page: 1))
        failed.send(nil)
        searching.send(true)
    }

    private func receive(_ answer: Result<[Repository], RequestFailure>) {
        searching.send(false)
        switch answer {
        case .success(let repositories): found.send(repositories)
        case .failure(let failure): failed.send(failure)
        }
    }
}
