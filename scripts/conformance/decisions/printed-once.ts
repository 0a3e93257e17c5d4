/** Table of rules: a document is printed once, and told as what it is. */

import type { Section } from "../rule.ts";

export const PRINTED_ONCE: readonly Section[] = [
  {
    of: "decisions",
    title: "Printed once: outcome resolution",
    code: "ONCE",
    rules: [
      {
        id: "ONCE-01",
        rule: "No document is printed twice, and none that was printed is told as not printed",
        by: [
          "src/e2e/thousand-receipts.test.ts > prints each of ${SALES} sales once while the gateway is killed ${KILLS} times",
          "src/e2e/outages.test.ts > a gateway > that is stopped at any frame of a receipt tells the truth afterwards",
          "src/e2e/trade-day.test.ts > fiscal memories and the API agree to the cent after a day of trade and faults, seed %d",
        ],
      },
      {
        id: "ONCE-02",
        rule: "Before a document the driver reads the device's baseline, and the queue stores it before the frame that opens the document",
        by: [
          "drivers/shared/document-run.test.ts > a document > goes from mark to mark, and is told by what it is known by",
          "drivers/isl/document.test.ts > a document > takes one read before it, one before each payment, and no frame more than it has parts",
        ],
      },
      {
        id: "ONCE-03",
        rule: "The marks come in the order `baseline`, `opened`, `committing`, `committed`",
        by: [
          "drivers/shared/document-run.test.ts > a document > goes from mark to mark, and is told by what it is known by",
        ],
      },
      {
        id: "ONCE-04",
        rule: "`opened` carries the document's own number where the device tells it",
        by: [
          "drivers/shared/document-run.test.ts > a document > stores with `opened` what the device told when it was opened",
        ],
      },
      {
        id: "ONCE-05",
        rule: "`committing` is on disk before the first frame after which the device could finish the document",
        by: [
          "drivers/shared/document-run.test.ts > a document > is not paid before `committing` is on disk, which it is stored on meanwhile",
        ],
      },
      {
        id: "ONCE-06",
        rule: "A mark that cannot be stored ends the document before that frame",
        by: [
          "drivers/shared/document-run.test.ts > a mark that may not be stored > ends the document at ${mark} with nothing left to find out",
          "src/queue/unwritable-database.test.ts > a database that cannot be written for a while > keeps no mark it did not store, so that the driver does not go on",
        ],
      },
      {
        id: "ONCE-07",
        rule: "Between parts of one process the writer's order is enough; what leaves the machine waits for the disk",
        by: [
          "src/queue/dispatch.test.ts > an idle device > begins ahead of the acceptance, which is on disk before the baseline is",
          "src/queue/dispatch.test.ts > an idle device > of a remote controller waits for the disk",
        ],
      },
      {
        id: "ONCE-08",
        rule: "After a lost link, a garbled answer, a time-out or a crash the command is in doubt, and is not sent again",
        by: [
          'drivers/shared/document-run.test.ts > a document > is in doubt, and left alone, when the answer to "${lost}" is lost',
          "src/queue/recovery.test.ts > after a restart > a receipt with a baseline is resolved, never dispatched again",
        ],
      },
      {
        id: "ONCE-09",
        rule: "When the device answers again it is asked before any other command runs on it",
        by: [
          "src/controller/runtime.test.ts > a fault of the line > after a mark: the document is resolved on the next line, never done again",
          "src/controller/runtime.test.ts > a fault of the line > while resolving: the device is asked again, before any other command",
        ],
      },
      {
        id: "ONCE-10",
        rule: "A document that is finished is `completed` with its `fiscalId` and `result.data.recovered`",
        by: [
          "drivers/isl/resolve.test.ts > a document in doubt > marked ${evidence.mark}${told}: ${what}: ${verdict}",
          "src/e2e/serial.test.ts > a printer on a serial port > is told of truly when the gateway is killed at any frame",
          "drivers/contract.test.ts > over %s > a device of ${kind.driver}, ${kind.model} > <title> [tells what is true of a receipt that broke off]",
        ],
      },
      {
        id: "ONCE-11",
        rule: "A document that stands open is cancelled on the device, and is `failed` with `E102` and `not_printed`",
        by: [
          "drivers/shtrih/resolve.test.ts > what stands open is cancelled, whatever was stored but the end",
          "drivers/isl/resolve.test.ts > a document in doubt > marked ${evidence.mark}${told}: ${what}: ${verdict}",
        ],
      },
      {
        id: "ONCE-12",
        rule: "Where the device cannot tell, it is `failed` with `E102` and `unknown`, and the alert `outcome_unknown` names the command",
        by: [
          "src/controller/runtime.test.ts > a fault of the line > a device that cannot tell for ten minutes leaves the outcome unknown",
          "src/modules/devices/devices.test.ts > alerts > stand for outcomes nobody has settled",
        ],
      },
      {
        id: "ONCE-13",
        rule: "`POST /commands/{commandId}/resolve` needs `commands` and settles it: the body says `printed` or `not_printed`, and a `fiscalId` if there is one",
        by: [
          "src/modules/commands/resolve.test.ts > a document in doubt > that was printed leaves its receipt and lets the next one go",
          "src/modules/commands/resolve.test.ts > a document in doubt > that was not printed leaves no receipt and lets the next one go",
          "src/modules/commands/resolve.test.ts > what cannot be settled > is told by a wrong %s in %p",
        ],
      },
      {
        id: "ONCE-14",
        rule: "Until then the device is held",
        by: [
          "src/queue/holds.test.ts > an unknown outcome > holds fiscal documents of the device but lets other commands pass",
          "src/queue/holds.test.ts > an unknown outcome > still holds after a restart, and goes on once a person settled it",
          "src/modules/commands/resolve.test.ts > a document in doubt > holds the device until the last of them is settled",
        ],
      },
      {
        id: "ONCE-15",
        rule: "A document that runs out of paper, or whose cover is opened, pauses: it stays `processing`, the alert stands, and it goes on when the cause is gone",
        by: [
          "src/e2e/device-states.test.ts > %p in the middle of a receipt > lets it wait, and it is printed once when that is mended",
          "drivers/shared/document-run.test.ts > a document that runs out of paper > sends the frame again that the sums do not hold",
        ],
      },
      {
        id: "ONCE-16",
        rule: "After 10 minutes it is cancelled on the device, and `failed` with `E306` or `E307` and `not_printed`",
        by: [
          "src/e2e/device-states.test.ts > %p in the middle of a receipt > cancels it when nobody comes, and says so",
        ],
      },
      {
        id: "ONCE-17",
        rule: "Before a document paper, cover, an open receipt, the fiscal day and the clock are looked at, and what they forbid fails before anything is sent",
        by: [
          "drivers/isl/document.test.ts > a document > does not begin on a device of status ${status}: ${code}",
          "src/e2e/outages.test.ts > a printer that cannot print > refuses a receipt with ${code} before anything of it is on the printer: ${kind}",
        ],
      },
      {
        id: "ONCE-18",
        rule: "A receipt of others that is found open is cancelled first, which stands in the audit log, and is never added to",
        by: [
          "drivers/isl/document.test.ts > a document > cancels a receipt found open first, and says so in the audit log",
          "src/e2e/device-states.test.ts > a receipt that somebody else left open is put away, and is no part of ours",
          "src/e2e/other-hands.test.ts > a receipt that somebody else left open > on model ${model} is put away before ours, which stands alone: ${extent}",
        ],
      },
      {
        id: "ONCE-19",
        rule: "`result.data.outcome` is set on every document and ledger entry that failed or timed out",
        by: [
          "src/core/command/lifecycle.test.ts > the result of a command that did not get through > says for %s whether it was printed, as far as its marks tell",
          "src/core/controller/judge.test.ts > a result that does not fit > a failure without outcome after committing: nobody knows",
        ],
      },
      {
        id: "ONCE-20",
        rule: "Time in which the device lacks paper or has its cover open is no part of the ten minutes of doubt",
        by: [
          "src/controller/runtime.test.ts > a device in doubt that waits for a person > stays in doubt until there is paper, and shows meanwhile what it lacks",
          "src/controller/runtime.test.ts > a device in doubt that waits for a person > still has its ten minutes when that does not help",
        ],
      },
      {
        id: "ONCE-21",
        rule: "One attempt counts for at most a minute, so that a suspended process does not use them up",
        by: [
          "src/controller/runtime.test.ts > a fault of the line > a machine that sleeps during an attempt has not asked all that time",
          "src/controller/runtime.test.ts > a fault of the line > a wall clock that is set right meanwhile does not end the doubt",
          "src/controller/runtime.test.ts > a fault of the line > time without a line does not count against the resolution",
        ],
      },
      {
        id: "ONCE-22",
        rule: "Without lines of its own a document is `not_printed`; with lines also before `committing` only where the device shows it, once others have printed behind it",
        by: [
          "drivers/shtrih/resolve.test.ts > before its first line nothing can be printed, whatever others printed since",
          "drivers/isl/resolve.test.ts > a document in doubt > marked ${evidence.mark}${told}: ${what}: ${verdict}",
        ],
      },
      {
        id: "ONCE-23",
        rule: "From `committing` on it takes a proof that no document of others explains, else it is `unknown`",
        by: [
          "drivers/shtrih/resolve.test.ts > counters that others have moved as well tell nothing",
          "src/e2e/other-hands.test.ts > a receipt in doubt, while somebody else prints > is never told as what it is not, whatever frame broke off",
        ],
      },
      {
        id: "ONCE-24",
        rule: "A document's number is read while it is open or from its own answer, never as the last one afterwards",
        by: [
          "drivers/isl/resolve.test.ts > a document in doubt > is known by its own number, or by the next one while nobody else has printed",
          "drivers/shtrih/resolve.test.ts > is known by its number while nobody else has printed",
        ],
      },
      {
        id: "ONCE-25",
        rule: "Right before each payment the device's sums are compared with ours, where the device tells any",
        by: [
          "drivers/shared/document-run.test.ts > what is paid > is compared right before it, whatever the disk takes",
          "drivers/shared/document-run.test.ts > what is paid > is not paid further when somebody has finished it after the first payment",
          "drivers/shared/document-run.test.ts > the device's sums > that differ from ours cancel the document before it is paid, and are logged",
          "drivers/shared/document-run.test.ts > the device's sums > are not asked for where the device tells none",
        ],
      },
      {
        id: "ONCE-26",
        rule: "A Z report or cash movement is marked too, and each of its faults is doubted until the device was read again, a refusal included",
        by: [
          "drivers/shared/ledger.test.ts > an entry of the ledger > is marked before and after its one frame",
          "drivers/shared/ledger.test.ts > an entry of the ledger > that the device refuses and may have counted is in doubt: $code",
          "drivers/ledger.test.ts > on a device of ${kind.driver}, ${kind.model} > a ${entry.type} that ${struck.title} is told of as it is",
        ],
      },
      {
        id: "ONCE-27",
        rule: "A `processing` command in doubt can be settled once its device was not asked with success for 60 s",
        by: [
          "src/modules/commands/settle-running.test.ts > a command in doubt whose device is silent for a minute > can be called printed: it is completed, and the next one goes once it was asked",
          "src/modules/commands/settle-running.test.ts > a command that cannot be settled while it runs > is one whose device was asked less than a minute ago",
          "src/modules/commands/settle-running.test.ts > a command in doubt whose device is silent for a minute > is one whose device was taken from its controller",
        ],
      },
      {
        id: "ONCE-28",
        rule: "Called `printed` it is `completed` with `result.data.settledBy`, called `not_printed` it is `failed` with `E102`",
        by: [
          "src/modules/commands/settle-running.test.ts > a command in doubt whose device is silent for a minute > can be called printed: it is completed, and the next one goes once it was asked",
          "src/modules/commands/settle-running.test.ts > a command in doubt whose device is silent for a minute > can be called not printed: it is failed, and nothing may finish it any more",
        ],
      },
      {
        id: "ONCE-29",
        rule: "Ledger entries can be settled as well",
        by: [
          "src/modules/commands/settle-running.test.ts > a command in doubt whose device is silent for a minute > may be a %s",
        ],
      },
      {
        id: "ONCE-30",
        rule: "What the device later tells against it raises `late_result` and stands in the audit log",
        by: [
          "src/modules/commands/settle-running.test.ts > a command in doubt whose device is silent for a minute > tells a person when the device says otherwise later",
          "src/modules/commands/settle-running.test.ts > a command in doubt whose device is silent for a minute > tells nobody when the device says the same",
          "src/modules/commands/asked-later.test.ts > what a printer tells of a settled command > against what was called printed says what to do, as the sale stands in the books",
        ],
      },
      {
        id: "ONCE-31",
        rule: "A receipt that a person called not printed is never finished: `E301`, and the person is asked again",
        by: [
          "src/e2e/disowned.test.ts > on model %s > it is never finished: the person is asked again, and everything that prints waits",
          "src/modules/commands/settle-running.test.ts > a receipt that a person called not printed > and that stands open all the same is asked about again",
        ],
      },
      {
        id: "ONCE-32",
        rule: "A hold belongs to the printer, known by its serial numbers or else by its address, and outlives the device's record",
        by: [
          "src/modules/commands/held-printers.test.ts > a hold belongs to the printer > of which the record was deleted: the next one at its address is held",
          "src/modules/commands/held-printers.test.ts > a hold belongs to the printer > and is known by its numbers, at whatever address",
          "src/modules/commands/held-printers.test.ts > a hold belongs to the printer > and not to the one that took its place before anybody noticed",
        ],
      },
      {
        id: "ONCE-33",
        rule: "In another organization the link stays down with the reason",
        by: [
          "src/modules/commands/held-printers.test.ts > a hold belongs to the printer > in another organization too",
          "src/e2e/same-printer.test.ts > a printer of which another organization is asked stays down, and is not named",
        ],
      },
      {
        id: "ONCE-34",
        rule: "`fiscald command resolve` at the box settles it",
        by: [
          "src/e2e/at-the-box.test.ts > fiscald command > tells whom to ask about a receipt nobody knows of, and takes the answer",
        ],
      },
      {
        id: "ONCE-35",
        rule: "Held are documents, Z reports, cash, slips, duplicates, `void_open_receipt` and `raw_command`; reads go on",
        by: [
          "src/modules/commands/held-printers.test.ts > on a held device > waits what may print beside a receipt that stands open, or end it; the rest goes on",
        ],
      },
      {
        id: "ONCE-36",
        rule: "A state that was put back from a copy is known by its counter of starts, which lags its second place by more than one, or which has none beside a used database",
        by: [
          "src/app/start-count.test.ts > a database that lags by more than one start was put back, and is noticed once",
          "src/app/start-count.test.ts > one beside which the second place is missing was put back elsewhere",
          "src/app/start-count.test.ts > one that was counted beside was put back also where no second place can be made",
          "src/e2e/backup.test.ts > a backup made while tills sell is whole, and its restored state holds the printer",
        ],
      },
      {
        id: "ONCE-37",
        rule: "What is unfinished in it is asked of printers, and `unknown` where nothing proves it",
        by: [
          "src/e2e/restored-state.test.ts > a receipt that was under way in the copy > is told as not printed only where the printer shows that it was cancelled",
        ],
      },
      {
        id: "ONCE-38",
        rule: "A printer that has gone on since is held with the alert `state_restored` until an owner accepts the state",
        by: [
          "src/e2e/restored-state.test.ts > on a printer of each kind > prints nothing again before an owner accepts that the printer has gone on",
          "src/e2e/restored-state.test.ts > on a printer of each kind > goes on by itself when the printer has printed nothing since",
        ],
      },
      {
        id: "ONCE-39",
        rule: "`POST /devices/{deviceId}/accept-state` is for owners, and 409 where there is nothing to accept",
        by: [
          "src/e2e/restored-state.test.ts > on a printer of each kind > prints nothing again before an owner accepts that the printer has gone on",
          "src/modules/access.test.ts > a caller > logged in as %s gets what the role covers",
        ],
      },
      {
        id: "ONCE-40",
        rule: "Windows run by the clock without steps of more than 60 s",
        by: [
          "src/platform/counted-time.test.ts > while it runs > a step of %d ms does not",
          "src/platform/counted-time.test.ts > while it runs > a clock that is put right by little counts",
        ],
      },
      {
        id: "ONCE-41",
        rule: "After a start a clock that is behind its stored value, or more than 7 days ahead of it, does not count",
        by: [
          "src/platform/counted-time.test.ts > after a start > a clock that differs by %d ms does not",
          "src/platform/counted-time.test.ts > after a start > %d ms off count",
          "src/platform/counted-time.test.ts > after a start within one boot > a clock that was set by %d ms meanwhile does not count, and what passed does",
        ],
      },
      {
        id: "ONCE-42",
        rule: "An idempotency key lives at least until its command is final",
        by: [
          "src/modules/idempotency/windows.test.ts > a sale that is not final > keeps its key for as long as that takes",
        ],
      },
      {
        id: "ONCE-43",
        rule: "Deadlines keep their time when the clock is set",
        by: [
          "src/modules/commands/clock-set.test.ts > a command that waits while the wall clock is set > by %d ms has its time as before",
          "src/modules/commands/clock-set.test.ts > a command that waits over a start > with a clock that is behind never has more than its time",
        ],
      },
      {
        id: "ONCE-44",
        rule: "A printer whose number is ahead of ours after a start raises `documents_unknown` until an owner accepts it, and is held where `printers.whenAhead` says so",
        by: [
          "src/e2e/unknown-documents.test.ts > an image of the whole disk put back > raises an alert that names the documents, and the shop goes on",
          "src/e2e/unknown-documents.test.ts > documents that the gateway does not know > hold the printer where the setting says so",
          "src/e2e/unknown-documents.test.ts > documents that the gateway does not know > are told until an owner accepts them, and are known from then on",
        ],
      },
      {
        id: "ONCE-45",
        rule: "What failed before anything was sent explains no number of the printer, and nothing that was not printed explains a receipt whose own number it tells",
        by: [
          "src/queue/unknown-documents.test.ts > a command explains > %s",
          "src/e2e/behind-failed-sale.test.ts > behind a sale of which nothing was sent > one receipt by other hands holds the printer",
          "src/e2e/behind-failed-sale.test.ts > behind a sale of which nothing was sent > what waits in the image of a disk is not printed again",
          "src/e2e/behind-failed-sale.test.ts > behind a sale that was cancelled > one receipt by other hands holds the printer",
        ],
      },
      {
        id: "ONCE-46",
        rule: "`GET /commands/{commandId}/last-receipt` asks the printer of a document in doubt for its last receipt, and tells by `before` and `indicates` what its numbers say of the document, and nothing where they cannot be compared",
        by: [
          "src/modules/live/last-receipt-of.test.ts > where each kind is counted by itself, the last sale > is compared with the last sale, and never by the number of a document",
          "src/modules/live/last-receipt-of.test.ts > where numbers begin anew each day, the last receipt > is compared within the day",
          "src/e2e/asked-last-receipt.test.ts > the last receipt of a $driver > never speaks for a No where ours was printed before somebody else's",
        ],
      },
    ],
  },
  {
    of: "decisions",
    title: "Payload additions",
    code: "PAYLOAD",
    rules: [
      {
        id: "PAYLOAD-01",
        rule: "`print_receipt` takes a `uniqueSaleNumber` of one form",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > is refused at %p in %j [uniqueSaleNumber]",
          "src/modules/commands/payloads.test.ts > the payload of %s > may be %j",
        ],
      },
      {
        id: "PAYLOAD-02",
        rule: "A device that demands one and gets none refuses with `E401`",
        by: [
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > demands a unique sale number: E401 before a byte is sent",
        ],
      },
      {
        id: "PAYLOAD-03",
        rule: "It takes `operatorId`, `operatorPassword` and an item's `unit`",
        by: [
          "src/modules/commands/payloads.test.ts > the payload of %s > may be %j",
          "drivers/isl/commands.test.ts > a device of protocol ${profile.model} over ${transport} > names operators and changes their passwords",
        ],
      },
      {
        id: "PAYLOAD-04",
        rule: "`print_reversal_receipt.uniqueSaleNumber` is any text; a device that refuses its form fails with `E400`",
        by: [
          "drivers/contract.test.ts > over %s > a device of ${kind.driver}, ${kind.model} > <title> [takes a sale number of any form, or says that it cannot]",
          "src/e2e/live-routes.test.ts > a printer of %s > prints a reversal of a sale numbered in another form, or refuses it beforehand",
        ],
      },
    ],
  },
];
