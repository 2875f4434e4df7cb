import TrackingCore

/// Each line with a comment must fail to compile, with the error that the comment names, and no other line may.
func pages() -> [PageView] {
    [
        .pageView(.repositorySearch),
        .pageView(.repositoryDetail(url: "https://example.com")),
        .pageView("repository-serach"),  // error: cannot convert value of type 'String'
        .pageView("repository-search"),  // error: cannot convert value of type 'String'
        .pageView(.repositorySerach),  // error: type 'Page' has no member 'repositorySerach'
        .pageView(.repositoryDetail(id: "1")),  // error: incorrect argument label in call
    ]
}
