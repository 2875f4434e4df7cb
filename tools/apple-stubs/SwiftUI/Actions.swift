extension View {
    /// <https://developer.apple.com/documentation/swiftui/view/onappear(perform:)>
    nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View {
        nonisolated(unsafe) let action = action  // called on the main actor only
        return ViewWithAction(content: self) { drawing, drawContent in
            drawContent()
            if let action { drawing.appearances.append(action) }
        }
    }

    /// <https://developer.apple.com/documentation/swiftui/view/ondisappear(perform:)>
    nonisolated public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
        nonisolated(unsafe) let action = action  // called on the main actor only
        return ViewWithAction(content: self) { drawing, drawContent in
            drawContent()
            if let action { drawing.disappearances.append(action) }
        }
    }

    /// <https://developer.apple.com/documentation/swiftui/view/task(priority:_:)>
    nonisolated public func task(
        priority: TaskPriority = .userInitiated, _ action: @escaping @MainActor @Sendable () async -> Void
    ) -> some View {
        ViewWithAction(content: self) { drawing, drawContent in
            drawContent()
            drawing.tasks.append { await action() }
        }
    }

    /// <https://developer.apple.com/documentation/swiftui/view/sheet(ispresented:ondismiss:content:)>
    nonisolated public func sheet<Content: View>(
        isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content
    ) -> some View {
        nonisolated(unsafe) let (isPresented, content) = (isPresented, content)  // used on the main actor only
        return ViewWithAction(content: self) { drawing, drawContent in
            drawContent()
            if isPresented.wrappedValue { drawing.draw(content()) }
        }
    }

    /// <https://developer.apple.com/documentation/swiftui/view/onchange(of:initial:_:)-4psgg>
    nonisolated public func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
    ) -> some View {
        nonisolated(unsafe) let (value, action) = (value, action)  // used on the main actor only
        return ViewWithAction(content: self) { drawing, drawContent in
            drawContent()
            let known = drawing.kept("value") { Kept<V>() }
            if let former = known.value {
                if former != value { drawing.changes.append { action(former, value) } }
            } else if initial {
                drawing.changes.append { action(value, value) }
            }
            known.value = value
        }
    }
}

private final class Kept<Value> {
    var value: Value?
}
