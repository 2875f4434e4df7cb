/// A view on a screen that a test controls: the test shows, redraws and hides it.
@MainActor
public final class HostedView {
    private let view: () -> any View
    private var kept: [String: AnyObject] = [:]
    private var isVisible = false

    /// Hosts a view, which is created again each time it is drawn.
    public init(_ view: @escaping () -> any View) { self.view = view }

    /// The phase of the scene; a change draws the view.
    public var scenePhase = ScenePhase.background {
        didSet { draw() }
    }

    /// Shows the view.
    public func appear() {
        isVisible = true
        let drawing = draw()
        for action in drawing.appearances { action() }
    }

    /// Shows the view, waits for its tasks, and redraws it.
    public func appearWithTasks() async {
        isVisible = true
        let drawing = draw()
        for action in drawing.appearances { action() }
        for task in drawing.tasks { await task() }
        draw()
    }

    /// Redraws the view, as SwiftUI may at any time.
    @discardableResult
    public func draw() -> Drawing {
        var environment = EnvironmentValues()
        environment.scenePhase = scenePhase
        let drawing = Drawing(environment, kept: kept)
        drawing.draw(view())
        kept = drawing.kept
        for action in drawing.changes { action() }
        return drawing
    }

    /// Taps the button with a title, and redraws the view.
    ///
    /// - Returns: Whether the button exists.
    @discardableResult
    public func tap(_ title: String) -> Bool {
        guard let action = draw().buttons[title] else { return false }
        action()
        draw()
        return true
    }

    /// Switches the toggle with a title, and redraws the view.
    ///
    /// - Returns: Whether the toggle exists.
    @discardableResult
    public func switchToggle(_ title: String) -> Bool {
        guard let isOn = draw().toggles[title] else { return false }
        isOn.wrappedValue.toggle()
        draw()
        return true
    }

    /// Hides the view. Its state is kept, like that of a covered view.
    public func disappear() {
        isVisible = false
        for action in draw().disappearances { action() }
    }

    /// Ends the scene, and releases the view's state.
    public func close() { kept = [:] }
}

/// A pass over a view, its modifiers and their contents.
@MainActor
public final class Drawing {
    var environment: EnvironmentValues
    var appearances: [() -> Void] = []
    var disappearances: [() -> Void] = []
    var changes: [() -> Void] = []
    var tasks: [@MainActor () async -> Void] = []
    var buttons: [String: @MainActor () -> Void] = [:]
    var toggles: [String: Binding<Bool>] = [:]
    /// The texts that are drawn, in order.
    public internal(set) var texts: [String] = []
    fileprivate var kept: [String: AnyObject]
    private var path = ""

    init(_ environment: EnvironmentValues, kept: [String: AnyObject]) {
        (self.environment, self.kept) = (environment, kept)
    }

    func draw(_ view: some View) {
        let outer = path
        defer { path = outer }
        path += "/\(type(of: view))"
        if let view = view as? any Drawable { return view.draw(self) }
        connect(view)
        draw(view.body)
    }

    /// Draws one of several views, identified by its position.
    func drawChild(_ index: Int, _ view: some View) {
        let outer = path
        defer { path = outer }
        path += ".\(index)"
        draw(view)
    }

    /// Connects the dynamic properties of a view or modifier with its stored state.
    func connect(_ owner: Any) {
        for child in Mirror(reflecting: owner).children {
            (child.value as? any Connectable)?.connect(to: self, as: child.label ?? "")
        }
    }

    /// The state at this position between two drawings.
    func kept<Kept: AnyObject>(_ name: String, make: () -> Kept) -> Kept {
        let key = "\(path).\(name)"
        if let known = kept[key] as? Kept { return known }
        let new = make()
        kept[key] = new
        return new
    }
}

/// A primitive view without a body.
@MainActor
protocol Drawable {
    func draw(_ drawing: Drawing)
}

/// A property that SwiftUI connects before it evaluates a body.
protocol Connectable {
    @MainActor func connect(to drawing: Drawing, as name: String)
}

/// A view with a primitive modifier.
struct ViewWithAction<Content> {
    let content: Content
    let action: @MainActor (Drawing, _ drawContent: () -> Void) -> Void
}

extension ViewWithAction: View, Drawable where Content: View {
    var body: Never { fatalError("it has no body") }

    func draw(_ drawing: Drawing) { action(drawing) { drawing.draw(content) } }
}
