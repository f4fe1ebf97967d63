/// Accepted pushes: listing them, and waiting for them.
enum NotificationResource {
    /// Its rows of the route table.
    static let routes: [AdminRoute] = [
        AdminRoute(
            .get, "/v1/notifications", .notifications, "Accepted pushes: list them, or wait for them.",
            details: """
                Without `wait`, `count` and `exactly` this is a plain list and always answered 200. With one of them it \
                is an expectation: 200 when it is met, `417` when it is not. A refused push never counts; it shows up \
                in the near misses of the 417, with its explanation. Ask for refusals themselves at `/v1/requests`.
                """,
            parameters: FilterParameters.all + [ListParameters.after] + ListParameters.page
                + ListParameters.expectation,
            takesPaths: true, answers: ListAnswers.all,
            examples: [
                AdminRoute.Example("Everything that was accepted", "/v1/notifications"),
                AdminRoute.Example(
                    "Wait for a push to one device", "/v1/notifications?device=$TOKEN&after=$CURSOR&wait=5s"),
                AdminRoute.Example(
                    "Exactly one, by what it says",
                    "/v1/notifications?aps.alert.title=Shipped*&payload.orderId=42&exactly=1&wait=5s"),
                AdminRoute.Example(
                    "None within a second", "/v1/notifications?device=$TOKEN&after=now&exactly=0&wait=1s"),
                AdminRoute.Example(
                    "Three by now? As text, for the output of a test",
                    "/v1/notifications?device=$TOKEN&count=3", accept: "text/plain", status: 417),
                AdminRoute.Example(
                    "The newest ten, only what matters",
                    "/v1/notifications?order=desc&limit=10&fields=id,device,payload.aps.alert"),
            ]
        ) { call throws(Problem) in .ask(try ListQuestion(call, about: .notifications, form: .list)) },
        AdminRoute(
            .get, "/v1/notifications/latest", .notifications, "The newest accepted push that matches, as one object.",
            details: """
                `404` when nothing matches now, with the near misses; with `wait` the call blocks until something does, \
                and `417` says that nothing did. To wait for a new push, add `after`.
                """,
            parameters: FilterParameters.all + [ListParameters.after, ListParameters.fields, ListParameters.wait],
            takesPaths: true,
            answers: [AdminRoute.Answer(200, "The entry.")] + ListAnswers.unmet
                + [AdminRoute.Answer(404, "Nothing matches.", .problem)],
            examples: [
                AdminRoute.Example("The newest push to a device", "/v1/notifications/latest?device=$TOKEN"),
                AdminRoute.Example(
                    "Only its title", "/v1/notifications/latest?device=$TOKEN&wait=5s&fields=payload.aps.alert.title"),
            ]
        ) { call throws(Problem) in .ask(try ListQuestion(call, about: .notifications, form: .latest)) },
    ]
}
