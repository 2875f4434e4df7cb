internal import OpenCombineShim
internal import Repositories

/// The user's actions on the search screen.
protocol SearchViewModelInputs {
    /// The screen appeared: for the first time, again, or on return from a detail.
    func viewDidAppear()
    /// The text in the search field changed; a pause in typing starts a search.
    func textChanged(_ text: String)
    /// The retry button, shown after a failure, was tapped: repeats the request.
    func retryTapped()
    /// A row was tapped: opens its repository.
    func rowTapped(_ row: Int)
}

/// The content of the search screen. Each publisher starts with its current value.
protocol SearchViewModelOutputs {
    /// Whether a request is pending.
    var isSearching: AnyPublisher<Bool, Never> { get }
    /// The rows of the list.
    var repositories: AnyPublisher<[Repository], Never> { get }
    /// Why the request failed; nil if it succeeded or is pending.
    var failure: AnyPublisher<RequestFailure?, Never> { get }
}

/// A view model as the view sees it, with inputs and outputs separated.
protocol SearchViewModelType {
    var inputs: any SearchViewModelInputs { get }
    var outputs: any SearchViewModelOutputs { get }
}
