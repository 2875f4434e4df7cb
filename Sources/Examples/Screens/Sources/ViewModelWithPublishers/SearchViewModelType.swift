internal import OpenCombineShim
internal import Repositories

/// What the user does on the search screen.
protocol SearchViewModelInputs {
    /// The screen appeared: first, again, or back from a detail.
    func viewDidAppear()
    /// The text in the search field changed; a pause in the typing searches for it.
    func textChanged(_ text: String)
    /// The retry button, shown after a failure, was tapped: asks for the same again.
    func retryTapped()
    /// A row was tapped: opens its repository.
    func rowTapped(_ row: Int)
}

/// What the search screen shows. Each publisher begins with what holds now.
protocol SearchViewModelOutputs {
    /// Whether an answer is under way.
    var isSearching: AnyPublisher<Bool, Never> { get }
    /// The rows of the list.
    var repositories: AnyPublisher<[Repository], Never> { get }
    /// Why there is no answer; nil if there is one, or none is expected.
    var failure: AnyPublisher<RequestFailure?, Never> { get }
}

/// A view model as the view sees it: what goes in and what comes out are told apart.
protocol SearchViewModelType {
    var inputs: any SearchViewModelInputs { get }
    var outputs: any SearchViewModelOutputs { get }
}
