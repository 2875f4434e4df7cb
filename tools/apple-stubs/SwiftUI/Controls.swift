/// <https://developer.apple.com/documentation/swiftui/text>
public struct Text: View, Drawable {
    let content: String

    /// <https://developer.apple.com/documentation/swiftui/text/init(_:)-9d1g4>
    nonisolated public init<S: StringProtocol>(_ content: S) { self.content = String(content) }

    public var body: Never { fatalError("it has no body") }
    func draw(_ drawing: Drawing) { drawing.texts.append(content) }
}

/// <https://developer.apple.com/documentation/swiftui/button>
public struct Button<Label: View>: View, Drawable {
    private let title: String
    private let action: @MainActor () -> Void

    public var body: Never { fatalError("it has no body") }
    func draw(_ drawing: Drawing) { drawing.buttons[title] = action }
}

extension Button where Label == Text {
    /// <https://developer.apple.com/documentation/swiftui/button/init(_:action:)-lpm7>
    nonisolated public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {
        (self.title, self.action) = (String(title), action)
    }
}

/// <https://developer.apple.com/documentation/swiftui/toggle>
public struct Toggle<Label: View>: View, Drawable {
    private let title: String
    nonisolated(unsafe) private let isOn: Binding<Bool>  // used on the main actor only

    public var body: Never { fatalError("it has no body") }
    func draw(_ drawing: Drawing) { drawing.toggles[title] = isOn }
}

extension Toggle where Label == Text {
    /// <https://developer.apple.com/documentation/swiftui/toggle/init(_:ison:)-6w8ym>
    nonisolated public init<S: StringProtocol>(_ title: S, isOn: Binding<Bool>) {
        (self.title, self.isOn) = (String(title), isOn)
    }
}

/// <https://developer.apple.com/documentation/swiftui/vstack>
public struct VStack<Content: View>: View, Drawable {
    private let content: Content

    /// <https://developer.apple.com/documentation/swiftui/vstack/init(alignment:spacing:content:)>
    public init(@ViewBuilder content: () -> Content) { self.content = content() }

    public var body: Never { fatalError("it has no body") }
    func draw(_ drawing: Drawing) { drawing.draw(content) }
}

/// <https://developer.apple.com/documentation/swiftui/tupleview>
public struct TupleView<each Content: View>: View, Drawable {
    nonisolated(unsafe) private let content: (repeat each Content)  // used on the main actor only

    /// <https://developer.apple.com/documentation/swiftui/tupleview/init(_:)>
    nonisolated public init(_ value: (repeat each Content)) { content = value }

    public var body: Never { fatalError("it has no body") }

    func draw(_ drawing: Drawing) {
        var index = 0
        for view in repeat each content {
            drawing.drawChild(index, view)
            index += 1
        }
    }
}

extension ViewBuilder {
    /// <https://developer.apple.com/documentation/swiftui/viewbuilder/buildblock(_:)>
    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<repeat each Content> { TupleView((repeat each content)) }
}
