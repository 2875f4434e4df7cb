internal import TextRendering

/// Draws the question about consent.
struct ConsentPage {
    let size: ScreenSize

    var screen: Screen {
        let texts: [(String, Screen.Style)] = [
            ("GitHub repositories", .title), ("", .plain),
            ("May this app record which screens you use and what you search for?", .plain),
            ("", .plain), ("y yes  n no  q quit", .faint),
        ]
        return Screen(
            lines: texts.map { Screen.Line(text: $0.cut(to: size.columns), style: $1) }, cursor: nil, size: size)
    }
}
