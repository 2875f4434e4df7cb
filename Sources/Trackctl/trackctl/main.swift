internal import TrackctlCommands

await Trackctl.runProgram()
