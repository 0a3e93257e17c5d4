/** Table of rules: what goes over WebSockets, and the push relay. */

import type { Section } from "../rule.ts";

export const SOCKETS: readonly Section[] = [
  {
    of: "decisions",
    title: "Events WebSocket",
    code: "EVWS",
    rules: [
      {
        id: "EVWS-01",
        rule: "`GET /events` opens by a header, or by a ticket of `POST /events/ticket` that lives 30 s and is used once",
        by: [
          "src/modules/events/events.test.ts > by %s > a ticket opens one connection, once",
          "src/modules/events/events.test.ts > by %s > a listener hears what happens, in order, with the records of the API",
        ],
      },
      {
        id: "EVWS-02",
        rule: "Any scope that reads opens it, and each event goes only to credentials that cover its subject",
        by: ["src/modules/events/events.test.ts > by %s > a credential hears only what it covers"],
      },
      {
        id: "EVWS-03",
        rule: "Messages are the envelope of webhooks",
        by: [
          "src/modules/events/events.test.ts > by %s > a listener hears what happens, in order, with the records of the API",
        ],
      },
      {
        id: "EVWS-04",
        rule: "`since` first repeats the stored events behind that one; older than 7 days closes with 4410",
        by: [
          "src/modules/events/events.test.ts > by %s > a listener goes on after the event that it heard last, and misses nothing",
          "src/modules/events/events.test.ts > by %s > an event that is not kept any more is said so",
        ],
      },
      {
        id: "EVWS-05",
        rule: "Listeners also hear `device.released`, `device.updated`, `command.updated`, `controller.connected` and `controller.disconnected`",
        by: [
          "src/modules/events/events.test.ts > by %s > a listener hears what happens, in order, with the records of the API",
          "src/modules/controllers/connect.test.ts > a handshake > makes a controller known, and whoever follows is told",
        ],
      },
      {
        id: "EVWS-10",
        rule: "Listeners also hear `device.state_read`, once for each time that a controller takes a device on; until then `stateReadAt` of the device is null",
        by: [
          "src/app/event-records.test.ts > a device is told of as it was shown when it came, and when it went",
        ],
      },
      {
        id: "EVWS-08",
        rule: "Listeners also hear `device.alert`",
        by: [
          "src/e2e/device-alerts.test.ts > paper that runs out and comes back is told once each, as the API shows it",
          "src/e2e/device-alerts.test.ts > another organization hears nothing of it",
          "src/modules/devices/alert-watch.test.ts > what comes and goes within a moment is not told, and what changes often seldom",
        ],
      },
      {
        id: "EVWS-09",
        rule: "Additive: listeners also hear `backup.completed` and `backup.failed`, which tells too that there has been none for two days",
        by: [
          "src/e2e/backup.test.ts > a gateway makes one when it is asked to, and tells how it ended by event",
          "src/backup/schedule.test.ts > tells once a day that the last one is older than two days",
        ],
      },
      {
        id: "EVWS-06",
        rule: "A slow reader is closed with 4408, and nothing is kept for it without bound",
        by: [
          "src/modules/events/events.test.ts > a reader that does not read is ended, and what it holds stays bounded",
        ],
      },
      {
        id: "EVWS-07",
        rule: "`GET /events/stream` tells the same as server-sent events, with `Last-Event-ID`",
        by: [
          "src/modules/events/events.test.ts > by %s > a listener hears what happens, in order, with the records of the API",
          "src/modules/events/events.test.ts > by server-sent events > a browser goes on by Last-Event-ID, which goes before its address",
        ],
      },
    ],
  },
  {
    of: "decisions",
    title: "Controller WebSocket",
    code: "CTWS",
    rules: [
      {
        id: "CTWS-01",
        rule: "`GET /controllers/connect` needs `devices:write`, and a `controllerId` of 1 to 128 characters",
        by: [
          "src/modules/controllers/connect.test.ts > a handshake > makes a controller known, and whoever follows is told",
          "src/modules/controllers/connect.test.ts > a handshake > with ?%s is refused",
          "src/modules/access.test.ts > a caller > with a key of just %s gets what it covers",
        ],
      },
      {
        id: "CTWS-02",
        rule: "It speaks the subprotocol `fdg.v1`, in JSON frames with a bound",
        by: [
          "src/http/socket.test.ts > a WebSocket > speaks the subprotocol that was offered, and none that was not",
          "src/http/socket.test.ts > a WebSocket > takes no binary frame, and no text beyond the bound",
          "src/modules/controllers/connect.test.ts > what makes no sense > is too large: a baseline, a note, a frame",
        ],
      },
      {
        id: "CTWS-03",
        rule: "A controller is known by its organization and its id",
        by: [
          "src/gateway/ownership.test.ts > a controller > is known by its organization and its name",
        ],
      },
      {
        id: "CTWS-04",
        rule: "A second connection of a controller closes the first with 4409",
        by: [
          "src/gateway/ownership.test.ts > a controller > that connects again takes the place of its first connection",
        ],
      },
      {
        id: "CTWS-05",
        rule: "No frame for 45 s closes it with 4408, and its devices are offline",
        by: [
          "src/modules/controllers/connect.test.ts > a connection ends > when nothing is heard for 45 s, and not before",
        ],
      },
      {
        id: "CTWS-06",
        rule: "The built-in controller speaks the same messages within the process",
        by: [
          "src/controller/runtime.test.ts > a device of the built-in controller > carries out a command and reports its result and state",
        ],
      },
      {
        id: "CTWS-07",
        rule: "The mode `controller` of the executable speaks them over the network",
        by: [
          "src/e2e/controller-check.test.ts > fiscald controller passes fiscald controller-check",
        ],
      },
      {
        id: "CTWS-08",
        rule: "What a controller reports of a command that was not dispatched to it is `NOT_YOURS`, changes nothing and is audited",
        by: [
          "src/queue/command-queue.test.ts > a device's queue > refuses reports from a controller that does not have the command",
          "src/core/controller/judge.test.ts > who may report > %s: not yours, audited",
        ],
      },
      {
        id: "CTWS-09",
        rule: "A repeated result is stored as before",
        by: [
          "src/queue/command-queue.test.ts > a device's queue > takes a result once and answers a repeated one the same way",
        ],
      },
      {
        id: "CTWS-10",
        rule: "An announced device of another organization is `NOT_FOUND`, one of which the owner's link is up `OWNED`",
        by: [
          "src/gateway/ownership.test.ts > a device that a controller announces > of another organization does not exist",
          "src/gateway/ownership.test.ts > a device that a controller announces > is not taken while its owner's link is up",
        ],
      },
      {
        id: "CTWS-11",
        rule: "A dispatch that is repeated is answered with what the controller has, until that is stored",
        by: [
          "src/controller/runtime.test.ts > what the gateway says > a repeated dispatch is answered with the result until that is stored",
        ],
      },
      {
        id: "CTWS-12",
        rule: "Presence is kept of each controller, and a history of each owned device",
        by: [
          "src/modules/controllers/controllers.test.ts > the controllers that are connected > have the name that was stored last, by themselves or by somebody else",
          "src/modules/devices/release.test.ts > the connection history > tells when the device came and went, newest first, with the reason",
        ],
      },
      {
        id: "CTWS-13",
        rule: "Each hand-over has a greater `epoch`; a report of an older one is `STALE`, is audited and changes nothing",
        by: [
          "src/core/controller/judge.test.ts > the hand-over > an older one is stale, audited, and changes nothing",
          "src/queue/command-queue.test.ts > a controller that takes a device up again > is not bound by what is said of the hand-over before",
        ],
      },
      {
        id: "CTWS-14",
        rule: "A report without one counts if its sender has the command now",
        by: [
          "src/core/controller/judge.test.ts > the hand-over > without one the current is meant, if the sender has the command now",
        ],
      },
      {
        id: "CTWS-15",
        rule: "A mark of a final command is `FINAL`, never stored",
        by: [
          "src/core/controller/judge.test.ts > a command that has ended > takes no mark, and is never told that one is stored",
          "src/gateway/controllers.test.ts > a mark of a command that ended meanwhile is refused",
        ],
      },
      {
        id: "CTWS-16",
        rule: "After a refusal the controller pays nothing more for the command",
        by: [
          "src/controller/runtime.test.ts > what the gateway says > a refused mark ends the command without a result, because it has ended already",
          "drivers/shared/document-run.test.ts > a mark that may not be stored > ends the document at ${mark} with nothing left to find out",
        ],
      },
      {
        id: "CTWS-17",
        rule: "A printed document that is refused raises `late_result`",
        by: [
          "src/core/controller/judge.test.ts > the hand-over > a printed document that is refused for it raises an alert, a failure does not",
        ],
      },
      {
        id: "CTWS-18",
        rule: "Nothing begins after `expiresAt`, an instant in ISO 8601",
        by: [
          "src/core/controller/judge.test.ts > time > nothing begins after it is over",
          "src/controller/runtime.test.ts > what the gateway says > a command whose time is over is not begun",
          "src/e2e/remote-controller.test.ts > a sale waits for the controller, is printed there, and its receipt is stored",
        ],
      },
      {
        id: "CTWS-19",
        rule: "A controller that takes a device over is asked what became of what is unfinished; the old one's words count no more",
        by: [
          "src/queue/command-queue.test.ts > a device that is taken from its controller > leaves what may have changed it to the next controller",
          "src/queue/command-queue.test.ts > a controller that takes a device up again > is not bound by what is said of the hand-over before",
        ],
      },
      {
        id: "CTWS-20",
        rule: "`not_printed` after `committed` is stored as `unknown`",
        by: [
          "src/core/controller/judge.test.ts > a result that does not fit > not printed after committed: nobody knows",
        ],
      },
      {
        id: "CTWS-21",
        rule: "A document's failure without an outcome after `committing` is stored as `unknown`",
        by: [
          "src/core/controller/judge.test.ts > a result that does not fit > a failure without outcome after committing: nobody knows",
        ],
      },
      {
        id: "CTWS-22",
        rule: "A document's success without `committing` is stored as `unknown`",
        by: [
          "src/core/controller/judge.test.ts > a result that does not fit > a document printed without committing: nobody knows",
        ],
      },
      {
        id: "CTWS-23",
        rule: "A second result that contradicts the first is audited, and changes nothing",
        by: [
          "src/core/controller/judge.test.ts > a command that has ended > keeps its first result against a contradiction, which is audited",
        ],
      },
      {
        id: "CTWS-24",
        rule: "Of a controller without marks a success is believed and audited, and a failure without outcome is `unknown`",
        by: [
          "src/core/controller/judge.test.ts > a controller that reports no marks > is believed that something was printed, and audited",
          "src/core/controller/judge.test.ts > a controller that reports no marks > is not believed that nothing was printed when it does not say so",
        ],
      },
      {
        id: "CTWS-25",
        rule: "After a restart of the gateway a remote controller is asked for what it was given",
        by: [
          "src/e2e/remote-controller.test.ts > what a controller has outlives the gateway, and is asked of it",
          "src/queue/recovery.test.ts > what a remote controller had at a restart > is asked of it, not ended, and its result counts",
        ],
      },
      {
        id: "CTWS-26",
        rule: "Instants are ISO 8601: of a command's end, of the receipt that it takes back, of a line's entries; the milliseconds of 0.1.0 are read",
        by: [
          "src/e2e/remote-controller.test.ts > a sale waits for the controller, is printed there, and its receipt is stored",
          "src/controller/line-trace.test.ts > what is kept of a line > is the last frames with their times, however many pass",
          "src/core/controller/orders.test.ts > the instants of a command are read from a gateway %s",
          "src/core/controller/frames.test.ts > the times of a line's entries are read from a controller %s",
        ],
      },
      {
        id: "CTWS-27",
        rule: "Additive: `welcome` has `installationId`, another one behind a state that was put back; what a controller keeps of results is owed to the installation that handed the command over",
        by: [
          "src/e2e/installation.test.ts > it is the same at each start, and another one behind a copy that was put back",
          "src/controller/owed-results.test.ts > while another gateway stands in > are told it once, whatever devices it has, and kept for their own behind %s",
          "src/controller/owed-results.test.ts > while another gateway stands in > are given up 30 days after the first that is not theirs has answered (%s)",
        ],
      },
    ],
  },
  {
    of: "decisions",
    title: "Push relay",
    code: "PUSH",
    rules: [
      {
        id: "PUSH-01",
        rule: "Without a relay nobody is woken; with one a POST carries the token and what waits",
        by: [
          "src/push/wake-ups.test.ts > a command for a controller that is not connected wakes it",
          "src/e2e/wake-up.test.ts > a sleeping app is woken for a command, and the command is sent to it",
          "src/e2e/relay.test.ts > an app is woken by a message that shows nothing, and is handed its command",
        ],
      },
      {
        id: "PUSH-02",
        rule: "A controller is woken at most once in 10 s, and a failure is tried again after 1, 3, 9 and 27 s while the command waits",
        by: [
          "src/push/wake-ups.test.ts > one that was woken is left alone for ten seconds, whatever comes, and woken while it waits",
          "src/push/wake-ups.test.ts > a wake-up that the relay does not take is repeated after 1, 3, 9 and 27 seconds",
          "src/push/wake-ups.test.ts > a command on its way to an app that never comes ends after 60 s, and the next one is woken for",
          "src/e2e/relay.test.ts > a command waits while FCM is out of order, and its app is woken after that",
        ],
      },
      {
        id: "PUSH-03",
        rule: "A token that the relay does not know is forgotten",
        by: [
          "src/push/wake-ups.test.ts > a token that nobody has any more is removed: %s",
          "src/push/wake-ups.test.ts > a token that was registered meanwhile stays",
          "src/e2e/relay.test.ts > a token that FCM does not know any more is cleared at the gateway",
        ],
      },
    ],
  },
];
