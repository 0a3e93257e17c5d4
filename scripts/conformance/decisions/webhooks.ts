/** Table of rules: how webhooks are signed, tried and bounded. */

import type { Section } from "../rule.ts";

export const WEBHOOKS: readonly Section[] = [
  {
    of: "decisions",
    title: "Webhooks",
    code: "SIGN",
    rules: [
      {
        id: "SIGN-01",
        rule: "`X-Service-Signature` is `t`, the seconds, and `v1`, the HMAC-SHA256 in hex of seconds, a point and the raw body",
        by: [
          "src/modules/webhooks/delivery.test.ts > a test delivery that arrives > is a signed POST of the event, to that webhook alone, and is kept",
          "src/webhooks/signature.test.ts > the service's own signature has the whole text of the secret as its key",
          "src/modules/webhooks/signatures.test.ts > each attempt is taken by library and documented code, at its time and no later",
        ],
      },
      {
        id: "SIGN-02",
        rule: "A delivery also carries the headers of Standard Webhooks",
        by: [
          "src/webhooks/signature.test.ts > the signature of Standard Webhooks is that of its published example",
          "src/modules/webhooks/delivery.test.ts > a test delivery that arrives > is a signed POST of the event, to that webhook alone, and is kept",
          "src/modules/webhooks/signatures.test.ts > each attempt is taken by library and documented code, at its time and no later",
        ],
      },
      {
        id: "SIGN-03",
        rule: "The secret is `whsec_` and 32 bytes in base64: its text is the key of the one signature, its bytes that of the other",
        by: [
          "src/modules/webhooks/delivery.test.ts > a test delivery that arrives > is a signed POST of the event, to that webhook alone, and is kept",
          "src/modules/webhooks/webhooks.test.ts > subscribing > answers the webhook with its secret, which nothing shows again",
          "src/modules/webhooks/signatures.test.ts > neither takes what was changed on its way, or is signed with another secret",
        ],
      },
      {
        id: "SIGN-04",
        rule: "After a rotation the new secret signs alone",
        by: [
          "src/modules/webhooks/delivery.test.ts > a test delivery that arrives > is signed by the new secret alone after a rotation",
          "src/modules/webhooks/signatures.test.ts > after a rotation the new secret is the only one that either takes",
        ],
      },
      {
        id: "SIGN-05",
        rule: "`data` is the command, the device, the report or the receipt that the event tells of",
        by: [
          "src/app/event-records.test.ts > a command is told of as it is shown",
          "src/app/event-records.test.ts > a report and a receipt made elsewhere are told of as they are shown",
          "src/app/event-records.test.ts > a device is told of as it was shown when it came, and when it went",
          "src/modules/webhooks/messages.test.ts > %s > is what the document says, with the headers that it names",
        ],
      },
      {
        id: "SIGN-06",
        rule: "A delivery is tried five times, at once and after 60 s, 5 min, 30 min and 2 h, later by up to a tenth",
        by: [
          "src/modules/webhooks/deliveries.test.ts > a delivery that fails > is tried again after 60 s, 5 min, 30 min and 2 h, a tenth later at most",
          "src/modules/webhooks/outage.test.ts > after a day's outage every delivery has arrived, or ended failed as written",
        ],
      },
      {
        id: "SIGN-07",
        rule: "A sixth attempt follows after 12 h where the settings allow six",
        by: [
          "src/modules/webhooks/deliveries.test.ts > a delivery that fails > is tried a sixth time 12 h later where the settings say so",
        ],
      },
      {
        id: "SIGN-08",
        rule: "An attempt takes at most 10 s",
        by: [
          "src/modules/webhooks/delivery.test.ts > an answer > is waited for ten seconds",
          "src/modules/webhooks/hostile-receivers.test.ts > of a receiver that > %s the delivery says so",
        ],
      },
      {
        id: "SIGN-09",
        rule: "Redirects are not followed",
        by: [
          "src/modules/webhooks/delivery.test.ts > an answer > that leads elsewhere is not followed",
          "src/modules/webhooks/hostile-receivers.test.ts > of a receiver that > leads elsewhere nothing gets there",
        ],
      },
      {
        id: "SIGN-10",
        rule: "1 KiB of the answer is kept as `responseBody`, a failure as `error`, and additively as `failure`, a word for programs",
        by: [
          "src/core/delivery-failure.test.ts > why a delivery failed > is known from its words: %s",
          "src/modules/webhooks/delivery.test.ts > an answer > is kept to 1 KiB, without a character cut in two, though it never ends",
          "src/modules/webhooks/delivery.test.ts > an answer > of %i is a %s",
          "src/modules/webhooks/hostile-receivers.test.ts > of a receiver that > %s the delivery says so",
        ],
      },
      {
        id: "SIGN-11",
        rule: "`failureCount` counts the deliveries that ended as `failed` in a row; a success sets it to 0",
        by: [
          "src/modules/webhooks/deliveries.test.ts > a delivery that fails > that then arrives is a success, and sets the count to 0",
        ],
      },
      {
        id: "SIGN-12",
        rule: "A change of a disabled webhook that does not enable it is 409",
        by: [
          "src/modules/webhooks/webhooks.test.ts > changing a webhook > while it is disabled conflicts for %p",
        ],
      },
      {
        id: "SIGN-13",
        rule: "Deliveries are kept for 30 days, and not a day longer",
        by: ["src/modules/webhooks/webhooks.test.ts > deliveries > are kept for 30 days"],
      },
      {
        id: "SIGN-14",
        rule: "A webhook may not lead to loopback, link-local or the appliance's own addresses",
        by: [
          "src/modules/webhooks/webhooks.test.ts > where a webhook may be > not at %s",
          "src/modules/webhooks/webhooks.test.ts > where a webhook may be > not at an address of one of the machine's interfaces",
        ],
      },
      {
        id: "SIGN-15",
        rule: "That is asked again at each delivery, of the address that is connected to",
        by: [
          "src/modules/webhooks/delivery.test.ts > a name that leads elsewhere than when it was named > is not connected to: %s",
          "src/modules/webhooks/delivery.test.ts > a name that leads elsewhere than when it was named > is looked up once for each delivery, and connected to where that led",
        ],
      },
      {
        id: "SIGN-16",
        rule: "Private networks are allowed unless `webhooks.allowPrivate` is false",
        by: [
          "src/modules/webhooks/webhooks.test.ts > where a webhook may be > at %s in the shop's network, unless that is switched off",
          "src/modules/webhooks/delivery.test.ts > a name that leads elsewhere than when it was named > is not connected to: a private network that is switched off",
        ],
      },
      {
        id: "SIGN-17",
        rule: "A private authority can be trusted, and a certificate that nobody vouches for is refused",
        by: [
          "src/modules/webhooks/delivery.test.ts > nothing is sent > to a server whose certificate nobody has vouched for",
          "src/e2e/webhook.test.ts > reaches what its settings allow, and nothing else",
          "src/modules/webhooks/hostile-receivers.test.ts > of a receiver that > %s the delivery says so",
        ],
      },
      {
        id: "SIGN-18",
        rule: "Events are stored in the transaction of the change that they tell of",
        by: [
          "db/writer.test.ts > the writer > stores an event with its change, and publishes it when both are on disk",
          "src/modules/receipts/store.test.ts > a receipt made elsewhere > is told of by no event and no audit entry when it was refused",
        ],
      },
      {
        id: "SIGN-19",
        rule: "Deliveries go on after a restart",
        by: [
          "src/e2e/webhook.test.ts > goes on with what a kill broke off",
          "src/modules/webhooks/outage.test.ts > after a day's outage every delivery has arrived, or ended failed as written",
        ],
      },
    ],
  },
];
