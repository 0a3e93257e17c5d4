/** The same facts of a shop in each order in which the gateway may hear of them. */

import { describe, expect, test } from "bun:test";
import {
  asked,
  askedById,
  both,
  calledPrinted,
  DAY_MS,
  days,
  doubted,
  lost,
  out,
  printed,
  proven,
  type Scene,
  said,
  setBack,
  sold,
  soldAs,
  soldUnread,
  told,
  wrongOrders,
} from "./testing/event-orders.ts";
import { openShop } from "./testing/event-shop.ts";

/** Two papers of one sale have it alike, as where its till rings it up once more. */
const U = "DT000600-0001-0000042";
const OTHER_SALE = "DT000600-0001-0000043";

type Asked = [name: string, paper: string, named: Parameters<typeof asked>[2]];
/** A reversal over the other printer, which is sent at once. */
const sent = (...of: Asked) => both(asked(...of), out(of[0]));
/** One that is printed at once. */
const reversed = (...of: Asked) => both(sent(...of), printed(of[0], `70${of[0]}`));

const OF_MORNING = { zReportNumber: "12", minutesBefore: 20 * 60 };
const OF_TODAY = { zReportNumber: "14" };
const TOLD_OF_MORNING = { receiptNumber: "34", zReportNumber: "12" };
const PROVEN_TODAY = { receiptNumber: "34", zReportNumber: "14" };

const SCENES: Readonly<Record<string, Scene>> = {
  // Nobody could read the first paper. The second one came back, and is told without its unique sale number.
  "a sale rung up once more by hand": {
    papers: {
      X: { numbers: ["30"], uniqueSaleNumber: U },
      Y: { numbers: ["31"], uniqueSaleNumber: U },
    },
    facts: {
      sold: both(sold("X"), said("X")),
      asked: asked("R", "Y", { number: "31", uniqueSaleNumber: U }),
      out: out("R"),
      printed: printed("R", "70"),
      told: told("Y", "31"),
    },
    chains: ["sold asked out printed", "sold told"],
  },
  "a sale rung up once more by hand, told with its unique sale number": {
    papers: {
      X: { numbers: ["30"], uniqueSaleNumber: U },
      Y: { numbers: ["31"], uniqueSaleNumber: U },
    },
    facts: {
      sold: both(sold("X"), said("X")),
      asked: asked("R", "Y", { number: "31", uniqueSaleNumber: U }),
      out: out("R"),
      printed: printed("R", "70"),
      told: told("Y", "31", { uniqueSaleNumber: U }),
    },
    chains: ["sold asked out printed", "sold told"],
  },
  "a sale of which the printer told no number, rung up once more by hand": {
    papers: {
      X: { numbers: ["30"], uniqueSaleNumber: U },
      Y: { numbers: ["31"], uniqueSaleNumber: U },
    },
    facts: {
      sold: soldUnread("X"),
      sent: sent("R", "Y", { number: "31", uniqueSaleNumber: U }),
      printed: printed("R", "70"),
      told: told("Y", "31", { uniqueSaleNumber: U }),
    },
    chains: ["sold sent printed", "sold told"],
  },
  // Nobody could tell of the reversal either, until a person did.
  "a sale rung up once more by hand, and a reversal in doubt": {
    papers: {
      X: { numbers: ["30"], uniqueSaleNumber: U },
      Y: { numbers: ["31"], uniqueSaleNumber: U },
    },
    facts: {
      sold: both(sold("X"), said("X")),
      sent: sent("R", "Y", { number: "31", uniqueSaleNumber: U }),
      doubt: doubted("R"),
      called: calledPrinted("R", "70"),
      told: told("Y", "31"),
    },
    chains: ["sold sent doubt called", "sold told"],
  },
  // What came back names the number on the paper; the app proves a number of its own.
  "an app that counts by itself": {
    papers: { X: { numbers: ["55", "12"], uniqueSaleNumber: U } },
    facts: {
      sold: both(sold("X"), said("X")),
      asked: asked("R", "X", { number: "55", uniqueSaleNumber: U }),
      out: out("R"),
      printed: printed("R", "70"),
      proof: proven("X", "12", { receiptNumber: undefined }),
    },
    chains: ["sold asked out printed", "sold proof"],
  },
  "an app that counts by itself, whose sale is voided": {
    papers: { X: { numbers: ["55", "12"], uniqueSaleNumber: U } },
    facts: {
      sold: both(sold("X"), said("X")),
      voided: askedById("V", "X", "void"),
      out: out("V"),
      printed: printed("V", "56"),
      proof: proven("X", "12", { receiptNumber: undefined }),
    },
    chains: ["sold voided out printed", "sold proof"],
  },
  // A reversal and a void of it wait at two printers; the app proves a number of its own before their turn.
  "a sale that two take back at once": {
    papers: { X: { numbers: ["55", "12"], uniqueSaleNumber: U } },
    facts: {
      sold: both(sold("X"), said("X")),
      asked: asked("R", "X", { number: "55", uniqueSaleNumber: U }),
      voided: askedById("V", "X", "void"),
      proof: proven("X", "12", { receiptNumber: undefined }),
      out: out("R"),
      outV: out("V"),
    },
    chains: ["sold asked proof out", "sold voided proof outV"],
  },
  // Nobody could read the first paper, which came back; the second one is misread as the first.
  "a sale rung up twice": {
    papers: {
      X: { numbers: ["31"], uniqueSaleNumber: U },
      Z: { numbers: ["32"], uniqueSaleNumber: U },
    },
    facts: {
      sold: both(sold("X"), said("X")),
      again: sold("Z"),
      misread: said("Z", "31"),
      sent: sent("R", "X", { number: "31", uniqueSaleNumber: U }),
      printed: printed("R", "70"),
      proof: proven("Z", "32"),
    },
    chains: ["sold again misread proof", "sold sent printed"],
    atPrinter: ["Z"],
    noPaper: [{ like: "X", named: { number: "33", uniqueSaleNumber: U } }],
  },
  // Nobody could read either; one of them came back, or both did.
  twins: {
    papers: {
      X: { numbers: ["31"], uniqueSaleNumber: U },
      Z: { numbers: ["32"], uniqueSaleNumber: U },
    },
    facts: {
      sold: both(sold("X"), said("X"), sold("Z"), said("Z")),
      back: reversed("R", "X", { number: "31", uniqueSaleNumber: U }),
      proofX: proven("X", "31"),
      proofZ: proven("Z", "32"),
    },
    chains: ["sold back", "sold proofX", "sold proofZ"],
  },
  "twins that both came back": {
    papers: {
      X: { numbers: ["31"], uniqueSaleNumber: U },
      Z: { numbers: ["32"], uniqueSaleNumber: U },
    },
    facts: {
      sold: both(sold("X"), said("X"), sold("Z"), said("Z")),
      back: reversed("R", "X", { number: "31", uniqueSaleNumber: U }),
      other: reversed("S", "Z", { number: "32", uniqueSaleNumber: U }),
      proofZ: proven("Z", "32"),
    },
    chains: ["sold back other", "sold proofZ"],
  },
  // A person read both rightly.
  "twins that a person read": {
    papers: {
      X: { numbers: ["31"], uniqueSaleNumber: U },
      Z: { numbers: ["32"], uniqueSaleNumber: U },
    },
    facts: {
      sold: both(sold("X"), said("X", "31"), sold("Z"), said("Z", "32")),
      back: reversed("R", "X", { number: "31", uniqueSaleNumber: U }),
    },
    chains: ["sold back"],
  },
  // What was rung up by hand came back; a person misreads the next one as it, and corrects that.
  "a misread number that is corrected": {
    papers: { X: { numbers: ["12"] }, Y: { numbers: ["10"], minutesBefore: 30 } },
    facts: {
      back: reversed("R", "Y", { number: "10" }),
      sold: both(sold("X"), said("X", "10")),
      corrected: said("X", "12"),
    },
    chains: ["back sold corrected"],
  },
  // The paper of the day before came back, and nobody knows the day of the one that a person read.
  "a number read without its day, behind one of the day before": {
    printer: { driver: "custom.serial" },
    papers: {
      X: { numbers: ["0014-0034", "34"], ...OF_TODAY },
      Y: { numbers: ["0012-0034"], ...OF_MORNING },
    },
    facts: {
      back: reversed("R", "Y", { number: "0012-0034" }),
      sold: both(sold("X"), said("X", "34")),
    },
    chains: ["back sold"],
  },
  // Another sale is misread as the one that nobody could read, and has a unique sale number of its own.
  "a sale misread as one of another unique sale number": {
    papers: {
      X: { numbers: ["30"], uniqueSaleNumber: U },
      Z: { numbers: ["32"], uniqueSaleNumber: OTHER_SALE },
    },
    facts: {
      misread: both(sold("X"), said("X"), sold("Z"), said("Z", "30")),
      sent: sent("R", "X", { number: "30", uniqueSaleNumber: U }),
      printed: printed("R", "70"),
      proof: proven("Z", "32"),
    },
    chains: ["misread sent printed", "misread proof"],
    atPrinter: ["Z"],
  },
  // The number of a receipt is that of another paper's document.
  "a receipt's number that is another one's document": {
    printer: { driver: "vendorF.shtrih" },
    papers: { X: { numbers: ["50"], minutesBefore: 5 }, Y: { numbers: ["51"] } },
    facts: {
      said: both(sold("Y"), said("Y")),
      sent: sent("R", "Y", { number: "51" }),
      printed: printed("R", "70"),
      proof: proven("Y", "52", { receiptNumber: "51" }),
      told: told("X", "51", { receiptNumber: "50" }),
    },
    chains: ["said sent printed told", "said proof told"],
  },
  "an unread sale of a printer known by its serial number alone": {
    printer: { hidesMemory: true },
    papers: { X: { numbers: ["30"], uniqueSaleNumber: U } },
    facts: {
      said: both(sold("X"), said("X")),
      sent: sent("R", "X", { number: "30", uniqueSaleNumber: U }),
      printed: printed("R", "70"),
      proof: proven("X", "30"),
    },
    chains: ["said sent printed", "said proof"],
  },
  // A half of the one rung up by hand came back before all of the one that nobody could read.
  "more came back than one sale has": {
    papers: {
      X: { numbers: ["10"], uniqueSaleNumber: U },
      Y: { numbers: ["9"], uniqueSaleNumber: U },
    },
    facts: {
      sold: sold("X"),
      half: reversed("R", "Y", { number: "9", uniqueSaleNumber: U, part: "one" }),
      all: reversed("S", "X", { number: "10", uniqueSaleNumber: U }),
      unread: said("X"),
      told: told("Y", "9", { uniqueSaleNumber: U }),
    },
    chains: ["sold half all", "sold unread told"],
  },
  "a sale that comes back in halves": {
    papers: { X: { numbers: ["10"], uniqueSaleNumber: U } },
    facts: {
      sold: both(sold("X"), said("X")),
      half: reversed("R", "X", { number: "10", uniqueSaleNumber: U, part: "one" }),
      rest: reversed("S", "X", { number: "10", uniqueSaleNumber: U, part: "one" }),
      proof: proven("X", "10"),
    },
    chains: ["sold half rest", "sold proof"],
  },
  "a price lowered beside what came back": {
    papers: { X: { numbers: ["31"], uniqueSaleNumber: U } },
    facts: {
      sold: both(sold("X"), said("X")),
      half: reversed("R", "X", { number: "31", uniqueSaleNumber: U, part: "one" }),
      lowered: reversed("L", "X", { number: "31", uniqueSaleNumber: U, part: "cheaper" }),
      proof: proven("X", "31"),
    },
    chains: ["sold half", "sold lowered", "sold proof"],
  },
  "a sale read rightly": {
    papers: { X: { numbers: ["10"] } },
    facts: {
      sold: sold("X"),
      said: said("X", "10"),
      sent: sent("R", "X", { number: "10" }),
      printed: printed("R", "70"),
      proof: proven("X", "10"),
    },
    chains: ["sold said proof", "sold sent printed"],
  },
  "a sale that ends late, the clock set back meanwhile": {
    papers: { X: { numbers: ["10"] } },
    facts: {
      sold: lost("X"),
      back: setBack(5),
      sent: sent("R", "X", { number: "10" }),
      printed: printed("R", "70"),
      ended: proven("X", "10"),
    },
    chains: ["sold back ended", "sold sent printed"],
  },
  // What came back is of another printer, and has its number.
  "a number that two printers have": {
    papers: { X: { numbers: ["10"] }, Y: { numbers: ["10"], memory: "02000888" } },
    facts: {
      said: both(sold("X"), said("X", "10")),
      sent: sent("R", "Y", { number: "10" }),
      printed: printed("R", "70"),
      told: told("Y", "10"),
      proof: proven("X", "10"),
    },
    chains: ["said sent printed", "said told proof"],
  },
  // A till has told the number before a person reads it on another paper.
  "a number that was told before it was misread": {
    papers: {
      X: { numbers: ["12"], uniqueSaleNumber: U },
      Y: { numbers: ["10"], uniqueSaleNumber: OTHER_SALE },
    },
    facts: {
      told: both(told("Y", "10", { uniqueSaleNumber: OTHER_SALE }), sold("X")),
      misread: said("X", "10"),
      sent: sent("R", "Y", { number: "10" }),
      printed: printed("R", "70"),
      proof: proven("X", "12"),
    },
    chains: ["told misread proof", "told sent printed"],
    atPrinter: ["X"],
  },
  // Another sale came back, which has the number that a person read.
  "a misread sale": {
    papers: {
      X: { numbers: ["12"], uniqueSaleNumber: U },
      Y: { numbers: ["10"], uniqueSaleNumber: OTHER_SALE },
    },
    facts: {
      sold: sold("X"),
      misread: said("X", "10"),
      sent: sent("R", "Y", { number: "10" }),
      printed: printed("R", "70"),
      proof: proven("X", "12"),
      told: told("Y", "10", { uniqueSaleNumber: OTHER_SALE }),
    },
    chains: ["sold misread proof", "misread told", "sold sent printed", "sent told"],
    atPrinter: ["X"],
  },
  // Its void names the number that another sale has, which a till tells.
  "a void of a misread sale": {
    papers: { X: { numbers: ["12"] }, Y: { numbers: ["10"], uniqueSaleNumber: U } },
    facts: {
      misread: both(sold("X"), said("X", "10")),
      voided: askedById("V", "X", "void"),
      out: out("V"),
      printed: printed("V", "33"),
      proof: proven("X", "12"),
      told: told("Y", "10", { uniqueSaleNumber: U }),
    },
    chains: ["misread voided out printed", "misread proof told"],
    atPrinter: ["X"],
  },
  // The next sale has the number that a person read, and its line was lost.
  "a misread sale before the one that came back": {
    papers: { X: { numbers: ["9"] }, Z: { numbers: ["10"] } },
    facts: {
      misread: both(sold("X"), said("X", "10")),
      next: lost("Z"),
      sent: sent("R", "Z", { number: "10" }),
      printed: printed("R", "70"),
      ended: proven("Z", "10"),
      proof: proven("X", "9"),
    },
    chains: ["misread next sent printed", "next ended proof"],
    atPrinter: ["X"],
  },
  // It came back itself, by what stands on its paper.
  "a misread sale that came back": {
    papers: { X: { numbers: ["31"], uniqueSaleNumber: U } },
    facts: {
      misread: both(sold("X"), said("X", "10")),
      sent: sent("R", "X", { number: "31", uniqueSaleNumber: U }),
      printed: printed("R", "70"),
      proof: proven("X", "31"),
    },
    chains: ["misread sent printed", "misread proof"],
    atPrinter: ["X"],
  },
  // The printer is known by its serial number until the proof tells its fiscal memory.
  "a sale read rightly of which the memory is not known": {
    printer: { hidesMemory: true },
    papers: { X: { numbers: ["10"], uniqueSaleNumber: U } },
    facts: {
      said: both(sold("X"), said("X", "10")),
      storno: askedById("S", "X", "storno"),
      out: out("S"),
      printed: printed("S", "33"),
      proof: proven("X", "10"),
    },
    chains: ["said storno out printed", "said proof"],
  },
  // The paper that came back is of the day before, and has the number that a person read without its day.
  "a number read without its day": {
    printer: { driver: "custom.serial" },
    papers: {
      X: { numbers: ["0014-0034"], ...OF_TODAY },
      Y: { numbers: ["0012-0034"], ...OF_MORNING },
    },
    facts: {
      said: both(sold("X"), said("X", "34")),
      sent: sent("R", "Y", { number: "0012-0034" }),
      printed: printed("R", "701"),
      proof: proven("X", "0014-0034", PROVEN_TODAY),
      told: told("Y", "0012-0034", TOLD_OF_MORNING),
    },
    chains: ["said sent printed", "said proof", "said told"],
  },
  // It came back itself; one of the day before has its number, and other goods.
  "a number read without its day, told of another day": {
    printer: { driver: "custom.serial" },
    papers: {
      X: { numbers: ["0014-0034", "34"], ...OF_TODAY },
      Y: { numbers: ["0012-0034"], ...OF_MORNING, goods: "milk", uniqueSaleNumber: OTHER_SALE },
    },
    facts: {
      said: both(sold("X"), said("X", "34")),
      sent: sent("R", "X", { number: "34", withoutDay: true }),
      printed: printed("R", "701"),
      proof: proven("X", "0014-0034", PROVEN_TODAY),
      told: told("Y", "0012-0034", TOLD_OF_MORNING),
    },
    chains: ["said sent printed", "said proof", "said told"],
  },
  // Nobody could read it; what came back has its unique sale number, and is of another day.
  "a sale rung up once more by hand on another day": {
    printer: { driver: "custom.serial" },
    papers: {
      X: { numbers: ["0014-0034"], ...OF_TODAY, uniqueSaleNumber: U },
      Y: { numbers: ["0012-0034"], ...OF_MORNING, uniqueSaleNumber: U },
    },
    facts: {
      sold: both(sold("X"), said("X")),
      sent: sent("R", "Y", { number: "0012-0034", uniqueSaleNumber: U }),
      printed: printed("R", "701"),
      proof: proven("X", "0014-0034", PROVEN_TODAY),
      told: told("Y", "0012-0034", TOLD_OF_MORNING),
    },
    chains: ["sold sent printed", "sold proof", "sold told"],
  },
  // The number of its receipt is that of another one's document. The papers' clock is ten minutes behind.
  "documents and receipts that are counted apart": {
    printer: { driver: "vendorF.shtrih" },
    papers: {
      X: { numbers: ["55"], clockBehindMs: 600_000 },
      Y: { numbers: ["50"], clockBehindMs: 600_000, minutesBefore: 5, goods: "milk" },
    },
    facts: {
      said: both(sold("X"), said("X", "55")),
      sent: sent("R", "X", { number: "55" }),
      printed: printed("R", "70"),
      proof: proven("X", "60", { receiptNumber: "55" }),
      told: told("Y", "55", { receiptNumber: "50" }),
    },
    chains: ["said sent printed", "said told proof"],
  },
  // A person read the number of the document; a reversal by that of the receipt is out before a storno's turn.
  "a storno that waits beside a reversal by the paper's other number": {
    printer: { driver: "vendorF.shtrih" },
    papers: { X: { numbers: ["55", "10"] } },
    facts: {
      said: both(sold("X"), said("X", "10")),
      storno: askedById("S", "X", "storno"),
      sent: sent("R", "X", { number: "55" }),
      printed: printed("R", "70"),
      proof: proven("X", "10", { receiptNumber: "55" }),
      out: out("S"),
    },
    chains: ["said storno proof out", "said sent proof", "sent printed"],
  },
  // The next one is rung up by hand, and told with the time of its paper.
  "a printer whose clock is three days behind": {
    printer: { driver: "vendorF.shtrih" },
    papers: {
      W: { numbers: ["26"], clockBehindMs: 3 * DAY_MS },
      X: { numbers: ["27"], clockBehindMs: 3 * DAY_MS },
      Y: { numbers: ["28"], clockBehindMs: 3 * DAY_MS, minutesBefore: -1 },
    },
    facts: {
      sold: both(soldAs("W", "26"), soldAs("X", "27")),
      asked: asked("R", "X", { number: "27" }),
      out: out("R"),
      printed: printed("R", "70"),
      told: told("Y", "28"),
    },
    chains: ["sold asked out printed", "sold told"],
  },
  "a sale that is told days later without its time": {
    printer: { driver: "vendorF.shtrih" },
    papers: { W: { numbers: ["20"] }, Y: { numbers: ["34"], minutesBefore: -1 } },
    facts: {
      sold: soldAs("W", "20"),
      sent: sent("R", "Y", { number: "34" }),
      printed: printed("R", "70"),
      days: days(2),
      told: told("Y", "34", { issuedAt: undefined }),
    },
    chains: ["sold days told", "sold sent printed"],
  },
};

describe("no paper is paid back twice, and what nobody took back can be, in each order of", () => {
  test.each(Object.entries(SCENES))("%s", async (_, scene) => {
    expect(Object.fromEntries(await wrongOrders(scene))).toEqual({});
  });
});

test("a door that is only tried stays as it was", async () => {
  const shop = await openShop({ X: { numbers: ["30"] } });
  try {
    await soldAs("X", "30")(shop);
    const [record] = shop.records();
    if (record === undefined) throw new Error("nothing was sold");
    const refusals = async () => [
      await shop.tryById(record, "storno"),
      await shop.tryByNumber("X", { number: "30" }),
    ];
    expect([...(await refusals()), ...(await refusals())]).toEqual(Array(4).fill(undefined));
    expect(await askedById("V", "X", "void")(shop)).toBe(true);
    const taken = expect.stringContaining("reversed already, or about to be");
    expect(await refusals()).toEqual([taken, taken]);
  } finally {
    shop.close();
  }
});
