internal import GitHubClient
internal import TextRendering

/// How a repository's page looks.
struct DetailPage {
    /// GitHub's number of it.
    let id: Int64
    /// The repository; nil until it is known.
    let repository: Repository?
    /// Why the last request failed.
    let error: String?
    let size: ScreenSize

    var screen: Screen {
        let name = repository?.name ?? "Repository \(id)"
        let lines = [
            Screen.Line(text: name.printable.cut(to: size.columns), style: .title),
            Screen.Line(text: "", style: .plain), address,
            Screen.Line(text: "", style: .plain),
            Screen.Line(text: "b back  n notification  q quit".cut(to: size.columns), style: .faint),
        ]
        return Screen(lines: lines, cursor: nil, size: size)
    }

    private var address: Screen.Line {
        if let repository {
            return Screen.Line(text: repository.htmlURL.printable.cut(to: size.columns), style: .plain)
        }
        if let error {
            return Screen.Line(text: "No answer: \(error.printable)".cut(to: size.columns), style: .alert)
        }
        return Screen.Line(text: "Its address is not known yet…".cut(to: size.columns), style: .faint)
    }
}
