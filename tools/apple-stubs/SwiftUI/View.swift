/// <https://developer.apple.com/documentation/swiftui/view>
@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    /// <https://developer.apple.com/documentation/swiftui/view/body-8kl5o>
    @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: View {
    public var body: Never { fatalError("it has no body") }
}

/// <https://developer.apple.com/documentation/swiftui/emptyview>
public struct EmptyView: View, Drawable {
    nonisolated public init() {}
    public var body: Never { fatalError("it has no body") }
    func draw(_ drawing: Drawing) {}
}

/// <https://developer.apple.com/documentation/swiftui/viewbuilder>
@resultBuilder
public enum ViewBuilder {
    /// <https://developer.apple.com/documentation/swiftui/viewbuilder/buildblock(_:)>
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    /// <https://developer.apple.com/documentation/swiftui/viewbuilder/buildblock()>
    public static func buildBlock() -> EmptyView { EmptyView() }
    /// <https://developer.apple.com/documentation/swiftui/viewbuilder/buildif(_:)>
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    /// <https://developer.apple.com/documentation/swiftui/viewbuilder/buildeither(first:)>
    public static func buildEither<TrueContent: View, FalseContent: View>(
        first: TrueContent
    ) -> _ConditionalContent<TrueContent, FalseContent> { _ConditionalContent(storage: .first(first)) }
    /// <https://developer.apple.com/documentation/swiftui/viewbuilder/buildeither(second:)>
    public static func buildEither<TrueContent: View, FalseContent: View>(
        second: FalseContent
    ) -> _ConditionalContent<TrueContent, FalseContent> { _ConditionalContent(storage: .second(second)) }
}

/// One of two views.
///
/// <https://developer.apple.com/documentation/swiftui/_conditionalcontent>
public struct _ConditionalContent<TrueContent, FalseContent> {  // swift-format-ignore
    enum Storage {
        case first(TrueContent)
        case second(FalseContent)
    }

    let storage: Storage
}

extension _ConditionalContent: View, Drawable where TrueContent: View, FalseContent: View {
    public var body: Never { fatalError("it has no body") }

    func draw(_ drawing: Drawing) {
        switch storage {
        case .first(let view): drawing.draw(view)
        case .second(let view): drawing.draw(view)
        }
    }
}

/// <https://developer.apple.com/documentation/swift/optional>
extension Optional: View where Wrapped: View {
    public var body: Never { fatalError("it has no body") }
}

extension Optional: Drawable where Wrapped: View {
    func draw(_ drawing: Drawing) {
        if let self { drawing.draw(self) }
    }
}

/// <https://developer.apple.com/documentation/swiftui/viewmodifier>
@MainActor @preconcurrency
public protocol ViewModifier {
    associatedtype Body: View
    /// <https://developer.apple.com/documentation/swiftui/viewmodifier/content>
    typealias Content = _ViewModifier_Content<Self>
    /// <https://developer.apple.com/documentation/swiftui/viewmodifier/body(content:)>
    @ViewBuilder @MainActor @preconcurrency func body(content: Self.Content) -> Self.Body
}

/// The content of a modifier.
///
/// <https://developer.apple.com/documentation/swiftui/viewmodifier/content>
public struct _ViewModifier_Content<Modifier: ViewModifier>: View, Drawable {  // swift-format-ignore
    let content: @MainActor (Drawing) -> Void
    public var body: Never { fatalError("it has no body") }
    func draw(_ drawing: Drawing) { content(drawing) }
}

/// <https://developer.apple.com/documentation/swiftui/modifiedcontent>
public struct ModifiedContent<Content, Modifier> {
    let content: Content
    let modifier: Modifier
}

extension ModifiedContent: View, Drawable where Content: View, Modifier: ViewModifier {
    public var body: Never { fatalError("it has no body") }

    func draw(_ drawing: Drawing) {
        drawing.connect(modifier)
        let content = self.content
        drawing.draw(modifier.body(content: _ViewModifier_Content { $0.draw(content) }))
    }
}

extension View {
    /// <https://developer.apple.com/documentation/swiftui/view/modifier(_:)>
    nonisolated public func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> {
        ModifiedContent(content: self, modifier: modifier)
    }
}
