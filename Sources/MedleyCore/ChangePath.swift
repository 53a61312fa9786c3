/// Where a change, or a part of one, is in a request, as it is carried along while changes are applied.
///
/// Every change has paths and hardly any fails, so a path owns nothing and costs no allocation; the steps of a
/// `ChangeError` are made of it only when one is thrown.
struct ChangePath {
    /// A step of the path; names of members are literals.
    enum Step {
        case member(StaticString)
        case index(Int)
    }

    // None is deeper: in a PUT, the sections, one of them, its items, one of them, a member of it.
    private var first: Step?
    private var second: Step?
    private var third: Step?
    private var fourth: Step?
    private var fifth: Step?

    /// The path with a step more; the same without one.
    static func + (path: ChangePath, step: Step?) -> ChangePath {
        var path = path
        if path.first == nil {
            path.first = step
        } else if path.second == nil {
            path.second = step
        } else if path.third == nil {
            path.third = step
        } else if path.fourth == nil {
            path.fourth = step
        } else {
            precondition(path.fifth == nil, "a path deeper than any request")
            path.fifth = step
        }
        return path
    }

    /// The steps as an error names them.
    var steps: [ChangeError.Step] {
        [first, second, third, fourth, fifth].compactMap { step in
            switch step {
            case .member(let name): .member("\(name)")
            case .index(let index): .index(index)
            case nil: nil
            }
        }
    }
}

extension ChangeError {
    /// Creates an error about what is at a path.
    init(_ code: Code, at path: ChangePath, subject: String = "", limit: Int? = nil) {
        self.init(code, at: path.steps, subject: subject, limit: limit)
    }
}
