/// One file of the web page.
///
/// The files are HTML, CSS and JavaScript in `Files`, as a browser reads them; the package manager puts their bytes into the
/// program. They are served under `/ui/`, and `index.html` at `/`.
package struct PageFile: Sendable {
    /// The name in the folder, such as "main.js".
    package let name: String
    /// What it holds.
    package let bytes: [UInt8]

    /// The file of this name.
    package static func named(_ name: String) -> PageFile? {
        all.first { $0.name == name }
    }

    /// The ending of the name: "js".
    package var ending: Substring {
        name.split(separator: ".").last ?? ""
    }
}
