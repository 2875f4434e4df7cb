import ArgumentParser
import TrackctlCommands

@main
enum EntryPoint {
    static func main() async {
        await Trackctl.main()
    }
}
