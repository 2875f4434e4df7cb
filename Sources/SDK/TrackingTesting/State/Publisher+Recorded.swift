// Combine only: whether a package's module that the kit does not depend on, such as OpenCombine, can be imported, is up to the
// order in which a build happens to compile.
#if canImport(Combine)
    public import Combine

    extension Publisher where Output: Sendable, Failure == Never {
        /// Records all values that the publisher sends from now on, one that it holds included.
        ///
        /// ```swift
        /// let texts = viewModel.text.recorded()
        /// viewModel.searchTapped()
        /// #expect(texts.values == ["Search", "Results"])
        /// ```
        ///
        /// Of OpenCombine, ``StateRecorder`` records the same: `StateRecorder { viewModel.text.sink(receiveValue: $0) }`.
        public func recorded() -> StateRecorder<Output> { StateRecorder { sink(receiveValue: $0) } }
    }
#endif
