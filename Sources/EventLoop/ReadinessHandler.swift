/// Who is called when a descriptor is ready; held unretained by its watch, which its owner cancels first.
package protocol ReadinessHandler: AnyObject {
    /// There are bytes to read, or the peer has gone.
    func readable()
    /// There is room to write; called only while write interest is on.
    func writable()
}
