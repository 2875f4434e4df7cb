// Combine only: whether a module that the kit does not depend on, such as OpenCombine, can be imported would depend on
// the order of compilation.
#if canImport(Combine)
    public import Combine

    extension Publisher where Output: Sendable, Failure == Never {
        /// Records all values that the publisher sends from now on, its current value included.
        ///
        /// ```swift
        /// let texts = viewModel.text.recorded()
        /// viewModel.searchTapped()
        /// #expect(texts.values == ["Search", "Results"])
        /// ```
        ///
        /// For OpenCombine, use ``StateRecorder``: `StateRecorder { viewModel.text.sink(receiveValue: $0) }`.
        public func recorded() -> StateRecorder<Output> { StateRecorder { sink(receiveValue: $0) } }
    }
#endif
