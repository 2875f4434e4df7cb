/// Elements that wait in the turns of their sources: one of each source, then again one of each. A source with many elements
/// delays those of another by one of its elements.
package final class Turns<Element> {
    private final class Source {
        let name: String
        /// The oldest first.
        var elements: [Element] = []

        init(_ name: String) { self.name = name }
    }

    private var named: [String: Source] = [:]
    /// The sources in the order of their turns. Each has elements, except possibly the one that has its turn.
    private var sources: [Source] = []
    /// Whether the first source has its turn. It is moved only before the next turn, so that it comes after each source that
    /// has begun to wait since.
    private var hasTurn = false

    package init() {}

    package var isEmpty: Bool { sourceCount == 0 }

    /// The number of sources that wait.
    package var sourceCount: Int {
        sources.count - (hasTurn && sources.first?.elements.isEmpty ?? false ? 1 : 0)
    }

    /// The elements of each source, the oldest first.
    package var queues: some Sequence<[Element]> { sources.lazy.map(\.elements) }

    package func append(_ element: Element, of name: String) { source(name).elements.append(element) }

    private func source(_ name: String) -> Source {
        if let known = named[name] { return known }
        let new = Source(name)
        named[name] = new
        sources.append(new)
        return new
    }

    /// The next element and its source.
    func next() -> (source: String, element: Element)? {
        endTurn()
        return sources.first.flatMap { source in source.elements.first.map { (source.name, $0) } }
    }

    /// Removes the next element.
    package func popFirst() -> Element? {
        endTurn()
        hasTurn = !sources.isEmpty
        return sources.first?.elements.removeFirst()
    }

    /// Lets all other sources have their turns before the next one.
    func postpone() {
        endTurn()
        if !sources.isEmpty { sources.append(sources.removeFirst()) }
    }

    private func endTurn() {
        guard hasTurn else { return }
        hasTurn = false
        let source = sources.removeFirst()
        if source.elements.isEmpty { named[source.name] = nil } else { sources.append(source) }
    }

    /// Adds elements before all others: the next turns are theirs, in this order.
    func prepend(_ elements: some BidirectionalCollection<Element>, sourceOf: (Element) -> String) {
        endTurn()
        for element in elements.reversed() { source(sourceOf(element)).elements.insert(element, at: 0) }
        var first: [String] = []
        for name in elements.map(sourceOf) where !first.contains(name) { first.append(name) }
        sources = first.compactMap { named[$0] } + sources.filter { !first.contains($0.name) }
    }
}
