public import Repositories

extension Repository {
    /// The repositories in the tests.
    public static let swift = Repository(fullName: "apple/swift", url: "https://github.com/apple/swift", stars: 67_000)
    public static let flux = Repository(
        fullName: "facebook/flux", url: "https://github.com/facebook/flux", stars: 17_000)
    public static let vapor = Repository(fullName: "vapor/vapor", url: "https://github.com/vapor/vapor", stars: 24_000)
}
