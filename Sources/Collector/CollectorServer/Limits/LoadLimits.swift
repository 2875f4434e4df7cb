#if Collector
    internal import Primitives

    /// What requests hold at the moment, bounded: more is answered with 503, so that memory stays flat. Safe from any thread.
    final class LoadLimits: Sendable {
        private let maximumRequests: Int
        private let maximumBytes: Int
        private let state = Locked<(requests: Int, bytes: Int)>((0, 0))

        init(requests: Int, bytes: Int) { (maximumRequests, maximumBytes) = (requests, bytes) }

        var requests: Int { state.withLock { $0.requests } }
        var bytes: Int { state.withLock { $0.bytes } }

        /// Whether one more request may be read.
        func begin() -> Bool {
            state.withLock { state in
                guard state.requests < maximumRequests else { return false }
                state.requests += 1
                return true
            }
        }

        /// Whether a request may hold so many bytes more.
        func add(bytes: Int) -> Bool {
            state.withLock { state in
                guard state.bytes + bytes <= maximumBytes else { return false }
                state.bytes += bytes
                return true
            }
        }

        /// Gives bytes back that a request turned out not to need.
        func give(bytes: Int) { state.withLock { $0.bytes -= bytes } }

        /// Ends a request, which held so many bytes.
        func end(bytes: Int) {
            state.withLock { state in
                state.requests -= 1
                state.bytes -= bytes
            }
        }
    }
#endif
