import Foundation
import MedleyApp

let usage = """
    usage: medley COMMAND [ARGUMENTS]

      serve     serve collections over HTTP
      token     make, list and revoke the tokens of those who may use a server
      import    bring a file's records into a collection of a server
      export    write a collection of a server into a file: playlist, feed, table or JSON
      watch     follow a collection of a server and print what changes
      check     tell what of a store is damaged
      backup    copy a store while it is served
      restore   make a store out of a backup
      help      this text; medley COMMAND --help tells of a command

    medley --version prints the version.
    """

var arguments = Array(CommandLine.arguments.dropFirst())
// `medley help COMMAND` is `medley COMMAND --help`.
if arguments.count == 2, arguments[0] == "help" { arguments = [arguments[1], "--help"] }
switch arguments.first {
case "serve": exit(ServeCommand.run(Array(arguments.dropFirst())))
case "token":
    exit(TokenCommand.run(Array(arguments.dropFirst()), environment: ProcessInfo.processInfo.environment))
case "import": exit(await ImportCommand.run(Array(arguments.dropFirst()), interruption: .bySignals()))
case "export": exit(ExportCommand.run(Array(arguments.dropFirst())))
case "watch": exit(WatchCommand.run(Array(arguments.dropFirst())))
case "--version", "version": print("medley \(medleyVersion)")
case "help", "--help", "-h": print(usage)
case let name? where StoreCommand(rawValue: name) != nil:
    exit(StoreCommand(rawValue: name)?.run(Array(arguments.dropFirst())) ?? 2)
case let command:
    let complaint = command.map { "medley: there is no command \($0)\n\n" } ?? ""
    FileHandle.standardError.write(Data((complaint + usage + "\n").utf8))
    exit(2)
}
