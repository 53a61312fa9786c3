import Foundation

/// Where a command writes.
package struct CommandOutput: Sendable {
    /// Writes a line to standard output.
    package var print: @Sendable (String) -> Void
    /// Writes text to standard error as it is.
    package var error: @Sendable (String) -> Void
    /// Whether standard error is a terminal, on which progress can be drawn.
    package var isTerminal: Bool

    /// Creates an output.
    package init(
        print: @escaping @Sendable (String) -> Void, error: @escaping @Sendable (String) -> Void, isTerminal: Bool
    ) {
        self.print = print
        self.error = error
        self.isTerminal = isTerminal
    }

    /// The process's own output.
    package static func standard() -> CommandOutput {
        CommandOutput(
            print: { FileHandle.standardOutput.write(Data(($0 + "\n").utf8)) },
            error: { FileHandle.standardError.write(Data($0.utf8)) }, isTerminal: isatty(2) == 1)
    }
}
