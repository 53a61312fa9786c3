import Glibc

/// A server that was started for the measurement, and what the system tells of it.
final class ChildProcess {
    let pid: pid_t

    /// Starts a program; what it says goes nowhere.
    init(_ program: String, _ arguments: [String]) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var strings = ([program] + arguments).map { strdup($0) }
        defer { for string in strings { free(string) } }
        strings.append(nil)
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
        var child = pid_t()
        let code = posix_spawn(&child, program, &actions, nil, &strings, &environment)
        guard code == 0 else { throw BenchmarkError("\(program): \(String(cString: strerror(code)))") }
        pid = child
    }

    deinit {
        kill(pid, SIGKILL)
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    }

    /// Whether it has ended by itself.
    var hasEnded: Bool {
        var status = siginfo_t()
        return waitid(P_PID, id_t(pid), &status, WEXITED | WNOHANG | WNOWAIT) != 0
            || status._sifields._sigchld.si_pid == pid
    }

    /// Resident memory, in bytes.
    func resident() throws -> Double {
        let line = try file("/proc/\(pid)/status").split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        let number = line?.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Double($0) }
        return (number ?? .nan) * 1024
    }

    /// How many descriptors are open.
    func descriptors() throws -> Int { try entries(of: "/proc/\(pid)/fd").count }

    /// The processor's milliseconds that all its threads have used.
    func processorTime() throws -> Double {
        try entries(of: "/proc/\(pid)/task").reduce(0) { sum, thread in
            let text = try file("/proc/\(pid)/task/\(thread)/schedstat")
            return sum + (text.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e6
        }
    }
}
