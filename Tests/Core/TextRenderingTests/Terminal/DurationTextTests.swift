import Testing

@testable import TextRendering

@Suite("Durations as text")
struct DurationTextTests {
    @Test(
        "An age, in the largest unit with a value of at least two",
        arguments: [
            (0, "0 s"), (119, "119 s"), (120, "2 min"), (7199, "119 min"), (7200, "2 h"), (172_799, "47 h"),
            (172_800, "2 days"), (256_917_745, "2,973 days"),
        ])
    func rough(seconds: Int, text: String) { #expect(Duration.seconds(seconds).rough == text) }

    @Test(
        "A duration, rounded for people",
        arguments: [
            (0.0, "0 ms"), (0.00125, "1.25 ms"), (0.34, "340 ms"), (12.5, "12.5 s"), (150, "3 min"),
            (25_500, "7 h 5 min"), (4_000_000, "1,111 h 7 min"),
        ])
    func short(seconds: Double, text: String) { #expect(Duration.seconds(seconds).short == text) }
}
