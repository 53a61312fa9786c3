public import MedleyCore

/// JSON pointers (RFC 6901).
public enum JSONPointer {
    /// The text of a path: `/changes/3/ids/0`; `""` for the whole document.
    public static func text(of path: some Sequence<ChangeError.Step>) -> String {
        var text = ""
        for step in path {
            text += "/"
            switch step {
            case .index(let index): text += String(index)
            case .member(let name):
                for scalar in name.unicodeScalars {
                    switch scalar {
                    case "~": text += "~0"
                    case "/": text += "~1"
                    default: text.unicodeScalars.append(scalar)
                    }
                }
            }
        }
        return text
    }
}
