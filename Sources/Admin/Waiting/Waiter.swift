import Simulation

/// A waiting call and what it holds of others until it is answered.
struct Waiter {
    let journal: Journal
    let follower: Journal.Follower
    var call: any WaitingCall
    var timer: (any AdminTimer)?
}
