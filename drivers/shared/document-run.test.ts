import { describe, expect, test } from "bun:test";
import type { Baseline, Mark } from "#core/command/marks.ts";
import { DocumentInDoubt, FiscalError } from "#core/errors.ts";
import { atRest, RecordedProgress } from "../testing/fake-environment.ts";
import { DeviceBusy } from "./busy.ts";
import type {
  DocumentProtocol,
  DocumentStep,
  Fate,
  FrameOutcome,
  OpeningOutcome,
} from "./document-protocol.ts";
import { printOnce } from "./document-run.ts";
import { delay } from "./pause.ts";
import { type CountedReceipt, NO_SUMS } from "./sums.ts";

interface NamedStep extends DocumentStep {
  readonly name: string;
}

const COFFEE: NamedStep = { name: "coffee", after: { items: 1, amountMinor: 300, paidMinor: 0 } };
const WATER: NamedStep = { name: "water", after: { items: 2, amountMinor: 400, paidMinor: 0 } };
const CARD: NamedStep = { name: "card", after: { items: 2, amountMinor: 400, paidMinor: 100 } };
const CASH: NamedStep = { name: "cash", after: { items: 2, amountMinor: 400, paidMinor: 400 } };
const OPEN: CountedReceipt = { ...NO_SUMS, open: true };

const PAPER = new FiscalError("E306", "no paper");
const REFUSED = new FiscalError("E305", "no");
const RECEIPT_OPEN = new FiscalError("E301", "a receipt is open");
const LOST = new FiscalError("E501", "silent");
const DIFFERENT = new FiscalError("E305", "counted differently");
const NOT_STORED = new FiscalError("E903", "the command has ended");
const PRINTED = 27;

/** What a frame meets: it is refused for a reason, its answer is lost, or something more is said. */
type Fortune = FiscalError | OpeningOutcome;

/** A protocol that writes down what it is asked, and meets with what the test says. */
class FakeDocument implements DocumentProtocol<NamedStep, number> {
  plan: { lines: readonly NamedStep[]; payments: readonly NamedStep[] } = {
    lines: [COFFEE, WATER],
    payments: [CARD, CASH],
  };
  firstLineOpens = false;
  mayRefuseWhatItDid = true;
  comparesSums = true;
  storesPayment = false;
  /** Frames, reads and marks in their order. */
  readonly journal: string[] = [];
  /** By the name of a frame: what it meets the first time, and later. Lost answers are line faults. */
  readonly fortunes: Record<string, Fortune[]> = {};
  /** What the reads of the receipt say, in their order; ours when the list is over. */
  counted: CountedReceipt[] = [];
  closing: Fate = "unclear";
  isOurs = true;
  /** How often the device is asked before it can go on. */
  pauseRounds = 0;
  readonly device = {
    environment: {
      log: (_level: string, sentence: string) => this.journal.push(sentence),
      now: () => 0,
      /** Time passes once nothing else can happen. */
      setTimer: (_ms: number, callback: () => void) => {
        const timer = setImmediate(callback);
        return () => clearImmediate(timer);
      },
    },
  };
  #last: CountedReceipt = OPEN;

  async begin(): Promise<Baseline> {
    this.#meet("begin");
    return { number: 26 };
  }

  async open(): Promise<OpeningOutcome> {
    return this.#meet("open");
  }

  async send({ name, after }: NamedStep): Promise<FrameOutcome> {
    const outcome = this.#meet(name);
    if (!outcome.refusal) this.#last = { ...after, open: true };
    return outcome;
  }

  async close(): Promise<FrameOutcome> {
    return this.#meet("close");
  }

  async isOursPaid(): Promise<boolean> {
    this.journal.push("ours?");
    return this.isOurs;
  }

  async readPrinted(): Promise<number> {
    this.#meet("number");
    return PRINTED;
  }

  async readCurrentReceipt(): Promise<CountedReceipt> {
    this.journal.push("sums");
    return this.counted.shift() ?? this.#last;
  }

  async readClosing(): Promise<Fate> {
    this.journal.push("closed?");
    return this.closing;
  }

  async readPause(): Promise<FiscalError | undefined> {
    this.pauseRounds -= 1;
    return this.pauseRounds > 0 ? PAPER : undefined;
  }

  sumsDiffer(): FiscalError {
    return DIFFERENT;
  }

  async cancel(): Promise<void> {
    const { refusal } = this.#meet("cancel");
    if (refusal) throw refusal;
  }

  #meet(name: string): OpeningOutcome {
    this.journal.push(name);
    const fortune = this.fortunes[name]?.shift();
    if (fortune === LOST) throw fortune;
    return fortune instanceof FiscalError
      ? { refusal: fortune }
      : { refusal: undefined, ...fortune };
  }
}

/** Writes its marks into the document's journal, so that frames and marks have one order. */
class JournalProgress extends RecordedProgress {
  constructor(readonly journal: string[]) {
    super(10_000);
  }

  override async mark(mark: Mark, baseline?: Baseline): Promise<void> {
    this.journal.push(`<${mark}>`);
    if (mark === this.refuseAt) throw NOT_STORED;
    await super.mark(mark, baseline);
  }
}

function setUp(change: (document: FakeDocument, progress: JournalProgress) => void = () => {}) {
  const document = new FakeDocument();
  const progress = new JournalProgress(document.journal);
  change(document, progress);
  return { document, progress, journal: document.journal };
}

/** Prints; `ended` is the number, or the error, or "in doubt: " with what caused the doubt. */
async function run(change: (document: FakeDocument, progress: JournalProgress) => void = () => {}) {
  const { document, progress, journal } = setUp(change);
  const ended = await printOnce(document, progress).catch((error: unknown) =>
    error instanceof DocumentInDoubt ? `in doubt: ${error.cause.message}` : error,
  );
  return { ended, journal, progress, frames: journal.filter((entry) => !entry.startsWith("<")) };
}

const UP_TO_PAYMENT = ["begin", "open", "coffee", "water", "sums"];
const PAYING = ["card", "sums", "cash", "ours?"];

describe("a document", () => {
  test("goes from mark to mark, and is told by what it is known by", async () => {
    const { ended, journal, progress } = await run();
    expect(ended).toBe(PRINTED);
    expect(journal.join(" ")).toBe(
      "begin <baseline> open <opened> coffee <committing> water sums card sums cash ours? close <committed> number",
    );
    expect(progress.baseline).toEqual({ number: 26 });
  });

  test("stores with `opened` what the device told when it was opened", async () => {
    const { progress } = await run(({ fortunes }) => {
      fortunes.open = [{ refusal: undefined, baseline: { number: 26, own: 27 } }];
    });
    expect(progress.baseline).toEqual({ number: 26, own: 27 });
  });

  test("is not paid before `committing` is on disk, which it is stored on meanwhile", async () => {
    const stored = Promise.withResolvers<void>();
    const { document, progress, journal } = setUp((_, slow) => {
      const mark = slow.mark.bind(slow);
      slow.mark = async (name, baseline) => {
        await mark(name, baseline);
        if (name === "committing") await stored.promise;
      };
    });
    const printing = printOnce(document, progress);
    await atRest();
    expect(journal.slice(-2)).toEqual(["<committing>", "water"]);
    stored.resolve();
    expect(await printing).toBe(PRINTED);
  });

  test("that could not begin has left no mark", async () => {
    const { ended, journal } = await run(({ fortunes }) => {
      fortunes.begin = [LOST];
    });
    expect(ended).toBe(LOST);
    expect(journal).toEqual(["begin"]);
  });

  for (const lost of ["open", "coffee", "water", "card", "cash", "close", "number"]) {
    test(`is in doubt, and left alone, when the answer to "${lost}" is lost`, async () => {
      const { ended, frames } = await run(({ fortunes }) => {
        fortunes[lost] = [LOST];
      });
      expect(ended).toBe("in doubt: silent");
      expect(frames.at(-1)).toBe(lost);
    });
  }

  test("is in doubt when the device refuses to be read, too: only a purposeful end is none", async () => {
    const { ended } = await run((document) => {
      document.readCurrentReceipt = () => Promise.reject(REFUSED);
    });
    expect(ended).toBe("in doubt: no");
  });

  test("tells of a defect as what it is", async () => {
    const defect = new TypeError("undefined is not a function");
    const { ended } = await run((document) => {
      document.send = () => Promise.reject(defect);
    });
    expect(ended).toBe(defect);
  });
});

describe("a refusal", () => {
  test("to open ends the command, and there is nothing to cancel", async () => {
    const { ended, journal } = await run(({ fortunes }) => {
      fortunes.open = [REFUSED];
    });
    expect(ended).toBe(REFUSED);
    expect(journal).toEqual(["begin", "<baseline>", "open"]);
  });

  test("to open what is open all the same cancels it", async () => {
    const { ended, frames } = await run(({ fortunes }) => {
      fortunes.open = [{ refusal: REFUSED, isOpen: async () => true }];
    });
    expect(ended).toBe(REFUSED);
    expect(frames).toEqual(["begin", "open", "cancel"]);
  });

  test("to open, for a receipt that is open, leaves that one alone", async () => {
    const { ended, frames } = await run(({ fortunes, journal }) => {
      fortunes.open = [{ refusal: RECEIPT_OPEN, isOpen: async () => journal.push("open?") > 0 }];
    });
    expect(ended).toBe(RECEIPT_OPEN);
    expect(frames).toEqual(["begin", "open"]);
  });

  test("to open, for a receipt that an earlier copy may have opened, cancels it", async () => {
    const { ended, frames } = await run(({ fortunes }) => {
      fortunes.open = [{ refusal: RECEIPT_OPEN, isDoubtful: true, isOpen: async () => true }];
    });
    expect(ended).toBe(RECEIPT_OPEN);
    expect(frames).toEqual(["begin", "open", "cancel"]);
  });

  for (const name of ["coffee", "water", "card"]) {
    test(`of "${name}", before anything is paid, cancels the document`, async () => {
      const { ended, frames } = await run(({ fortunes }) => {
        fortunes[name] = [REFUSED];
      });
      expect(ended).toBe(REFUSED);
      expect(frames.slice(-2)).toEqual([name, "cancel"]);
    });
  }

  for (const name of ["cash", "close"]) {
    test(`of "${name}", after a payment, leaves the document in doubt`, async () => {
      const { ended, frames } = await run(({ fortunes }) => {
        fortunes[name] = [REFUSED];
      });
      expect(ended).toBe("in doubt: no");
      expect(frames.at(-1)).toBe(name);
    });
  }

  test("of a closing that would have paid cancels the document", async () => {
    const { ended, frames } = await run((document) => {
      document.plan = { ...document.plan, payments: [] };
      document.fortunes.close = [REFUSED];
    });
    expect(ended).toBe(REFUSED);
    expect(frames.slice(-2)).toEqual(["close", "cancel"]);
  });

  test("that does not say whether money was taken leaves the document in doubt", async () => {
    const { ended, frames } = await run(({ fortunes }) => {
      fortunes.card = [{ refusal: REFUSED, isDoubtful: true }];
    });
    expect(ended).toBe("in doubt: no");
    expect(frames.at(-1)).toBe("card");
  });

  test("to cancel leaves the document in doubt", async () => {
    const { ended } = await run(({ fortunes }) => {
      fortunes.coffee = [DIFFERENT];
      fortunes.cancel = [REFUSED];
    });
    expect(ended).toBe("in doubt: no");
  });
});

describe("a mark that may not be stored", () => {
  for (const [mark, frames] of [
    ["baseline", ["begin"]],
    ["opened", ["begin", "open", "cancel"]],
    ["committing", ["begin", "open", "coffee", "water", "cancel"]],
    ["committed", [...UP_TO_PAYMENT, ...PAYING, "close"]],
  ] as const) {
    test(`ends the document at ${mark} with nothing left to find out`, async () => {
      const found = await run((_, progress) => {
        progress.refuseAt = mark;
      });
      expect(found.ended).toBe(NOT_STORED);
      expect(found.frames).toEqual([...frames]);
    });
  }
});

describe("a document that a person settles meanwhile", () => {
  const SETTLED = "A person said what became of it";
  const saidIn = (pausedAt: string, change: (document: FakeDocument) => void = () => {}) =>
    run((document, progress) => {
      document.fortunes[pausedAt] = [PAPER];
      change(document);
      progress.whenPaused = async () => {
        progress.isSettled = true;
      };
    });

  for (const rounds of [0, 100]) {
    for (const name of ["coffee", "card"]) {
      test(`is cancelled where it waited with "${name}", though paper came after ${rounds} looks`, async () => {
        const { ended, frames } = await saidIn(name, (document) => {
          document.pauseRounds = rounds;
        });
        expect(ended).toMatchObject({ code: "E903", message: SETTLED });
        expect(frames.slice(-2)).toEqual([name, "cancel"]);
      });
    }
  }

  test("is cancelled where it waited with a closing that would have paid", async () => {
    const { ended, frames } = await saidIn("close", (document) => {
      document.plan = { ...document.plan, payments: [] };
    });
    expect(ended).toMatchObject({ message: SETTLED });
    expect(frames.slice(-2)).toEqual(["close", "cancel"]);
  });

  for (const name of ["cash", "close"]) {
    test(`is left as it is where it waited with "${name}" behind a payment`, async () => {
      const { ended, frames } = await saidIn(name);
      expect(ended).toBe(`in doubt: ${SETTLED}`);
      expect(frames.at(-1)).toBe(name);
    });
  }

  for (const name of ["coffee", "card", "cash", "close"]) {
    test(`is printed where it waited with "${name}" past all limits and was called printed`, async () => {
      const { ended, frames } = await run((document, progress) => {
        document.fortunes[name] = [PAPER];
        document.pauseRounds = 100;
        document.closing = "not_carried_out";
        progress.isCalledPrinted = true;
      });
      expect(ended).toBe(PRINTED);
      expect(frames.at(-1)).toBe("number");
    });
  }

  test("is cancelled before its first payment, with nothing to wait for", async () => {
    const { ended, frames } = await run((document, progress) => {
      const read = document.readCurrentReceipt.bind(document);
      document.readCurrentReceipt = () => {
        progress.isSettled = true;
        return read();
      };
    });
    expect(ended).toMatchObject({ message: SETTLED });
    expect(frames).toEqual([...UP_TO_PAYMENT, "cancel"]);
  });

  test("is in doubt where it cannot be cancelled", async () => {
    const { ended } = await saidIn("card", ({ fortunes }) => {
      fortunes.cancel = [PAPER];
    });
    expect(ended).toBe("in doubt: no paper");
  });
});

describe("the device's sums", () => {
  test("that differ from ours cancel the document before it is paid, and are logged", async () => {
    const { ended, frames } = await run((document) => {
      document.counted = [{ ...WATER.after, items: 3, open: true }];
    });
    expect(ended).toBe(DIFFERENT);
    expect(frames.slice(-3)).toEqual([
      "sums",
      "the device counts the document differently",
      "cancel",
    ]);
  });

  test("of a receipt that is not open any more cancel it as well", async () => {
    const { ended } = await run((document) => {
      document.counted = [{ ...WATER.after, open: false }];
    });
    expect(ended).toBe(DIFFERENT);
  });

  test("are not asked for where the device tells none", async () => {
    const { ended, journal } = await run((document) => {
      document.comparesSums = false;
    });
    expect(ended).toBe(PRINTED);
    expect(journal.join(" ")).toContain("<committing> water card");
  });
});

describe("what is paid", () => {
  test("is compared right before it, whatever the disk takes", async () => {
    for (const payments of [[CARD, CASH], []]) {
      const stored = Promise.withResolvers<void>();
      const { document, progress, journal } = setUp((one, slow) => {
        one.plan = { ...one.plan, payments };
        const mark = slow.mark.bind(slow);
        slow.mark = async (name, baseline) => {
          await mark(name, baseline);
          if (name !== "committing") return;
          await stored.promise;
          journal.push("stored");
        };
      });
      const printing = printOnce(document, progress);
      await atRest();
      stored.resolve();
      expect(await printing).toBe(PRINTED);
      const [first = "close"] = payments.map(({ name }) => name);
      expect(journal.slice(journal.indexOf("stored")).slice(0, 3)).toEqual([
        "stored",
        "sums",
        first,
      ]);
    }
  });

  test("is not paid further when somebody has finished it after the first payment", async () => {
    for (const after of [{ open: false }, { open: true, amountMinor: 900 }]) {
      const { ended, frames } = await run((document) => {
        document.counted = [
          { ...WATER.after, open: true },
          { ...CARD.after, ...after },
        ];
      });
      expect(String(ended)).toStartWith("in doubt: Somebody else");
      expect(frames.slice(-2)).toEqual(["card", "sums"]);
    }
  });

  test("is sent again when its answer was lost and the device does not hold it", async () => {
    const { ended, frames } = await run(({ fortunes }) => {
      fortunes.card = [{ refusal: LOST, isLost: true }];
    });
    expect(ended).toBe(PRINTED);
    expect(frames.slice(4, 8)).toEqual(["sums", "card", "sums", "card"]);
  });

  test("is not sent again when its answer was lost and the device holds it", async () => {
    const { ended, frames } = await run((document) => {
      document.fortunes.card = [{ refusal: LOST, isLost: true }];
      document.counted = [WATER, CARD, CARD].map(({ after }) => ({ ...after, open: true }));
    });
    expect(ended).toBe(PRINTED);
    expect(frames.filter((name) => name === "card")).toHaveLength(1);
  });

  test("is in doubt when its answer was lost and the device holds something else", async () => {
    const { ended, frames } = await run((document) => {
      document.fortunes.card = [{ refusal: LOST, isLost: true }];
      document.counted = [
        { ...WATER.after, open: true },
        { ...CARD.after, open: true, items: 7 },
      ];
    });
    expect(ended).toBe("in doubt: silent");
    expect(frames.at(-1)).toBe("sums");
  });

  test("is in doubt when its answer is lost again and again", async () => {
    const { ended, frames } = await run(({ fortunes }) => {
      fortunes.card = Array.from({ length: 9 }, () => ({ refusal: LOST, isLost: true }));
    });
    expect(ended).toBe("in doubt: silent");
    expect(frames.filter((name) => name === "card")).toHaveLength(4);
  });

  test("is looked at once more before it is closed, and left in doubt when it is not ours", async () => {
    const { ended, frames } = await run((document) => {
      document.isOurs = false;
    });
    expect(String(ended)).toStartWith("in doubt: Somebody else");
    expect(frames.slice(-2)).toEqual(["cash", "ours?"]);
  });

  test("is stored as ours before it is closed, where only that proves it", async () => {
    const { ended, journal, progress } = await run((document) => {
      document.storesPayment = true;
    });
    expect(ended).toBe(PRINTED);
    expect(journal.join(" ")).toContain("cash ours? <committing> close");
    expect(progress.baseline).toEqual({ number: 26, paid: true });
  });

  /** That is stored once `wait` is over: the gateway is away, or its disk slow. */
  function storedLate(
    document: FakeDocument,
    progress: JournalProgress,
    wait: () => Promise<void>,
  ): void {
    document.storesPayment = true;
    const mark = progress.mark.bind(progress);
    progress.mark = async (name, baseline) => {
      await mark(name, baseline);
      if (baseline?.paid === true) await wait();
    };
  }

  test("is looked at again where that takes long, and is not waited for without limit", async () => {
    const never = Promise.withResolvers<void>().promise;
    const { ended, journal } = await run((...parts) => storedLate(...parts, () => never));
    expect(ended).toBe(PRINTED);
    expect(journal.join(" ")).toContain("cash ours? <committing> sums close <committed>");
  });

  test("is left in doubt where another receipt stands there by then", async () => {
    const { ended, frames } = await run((document, progress) => {
      const { environment } = document.device;
      storedLate(document, progress, () => delay(environment, 0));
      document.counted = [WATER.after, CARD.after, { ...CASH.after, amountMinor: 900 }].map(
        (sums) => ({ ...sums, open: true }),
      );
    });
    expect(String(ended)).toStartWith("in doubt: Somebody else");
    expect(frames.slice(-2)).toEqual(["ours?", "sums"]);
  });

  test("is closed also by a command that may not go on", async () => {
    const { ended, frames } = await run((document, progress) => {
      document.storesPayment = true;
      const mark = progress.mark.bind(progress);
      progress.mark = async (name, baseline) => {
        if (baseline?.paid === true) throw NOT_STORED;
        await mark(name, baseline);
      };
    });
    expect(ended).toBe(PRINTED);
    expect(frames.slice(-2)).toEqual(["close", "number"]);
  });
});

describe("a document that runs out of paper", () => {
  const beforeWater = { ...COFFEE.after, open: true };

  test("sends the frame again that the sums do not hold", async () => {
    const { ended, frames, progress } = await run((document) => {
      document.fortunes.water = [PAPER];
      document.counted = [beforeWater];
    });
    expect(ended).toBe(PRINTED);
    expect(frames.slice(2, 7)).toEqual(["coffee", "water", "sums", "water", "sums"]);
    expect(progress.pauses).toEqual(["paper_out", undefined]);
  });

  test("goes on behind the frame that the sums hold", async () => {
    const { ended, frames } = await run((document) => {
      document.fortunes.water = [PAPER];
      document.fortunes.cash = [PAPER];
      document.counted = [WATER, WATER, CARD, CASH].map(({ after }) => ({ ...after, open: true }));
    });
    expect(ended).toBe(PRINTED);
    expect(frames.filter((name) => name === "water" || name === "cash")).toHaveLength(2);
  });

  test("is cancelled when the sums are neither those before the line nor behind it", async () => {
    const { ended, frames } = await run((document) => {
      document.fortunes.water = [PAPER];
      document.counted = [{ ...beforeWater, open: false }];
    });
    expect(ended).toBe(PAPER);
    expect(frames.at(-1)).toBe("cancel");
  });

  test("is in doubt when they are neither those before the payment nor behind it", async () => {
    const { ended, frames } = await run((document) => {
      document.fortunes.card = [PAPER];
      document.counted = [
        { ...WATER.after, open: true },
        { ...WATER.after, open: false },
      ];
    });
    expect(ended).toBe("in doubt: no paper");
    expect(frames.at(-1)).toBe("sums");
  });

  test("is not read where every refusal is definite", async () => {
    const { ended, frames } = await run((document) => {
      document.mayRefuseWhatItDid = false;
      document.fortunes.water = [PAPER];
    });
    expect(ended).toBe(PRINTED);
    expect(frames.slice(2, 5)).toEqual(["coffee", "water", "water"]);
  });

  for (const [opens, expected] of [
    [true, PRINTED],
    [false, PAPER],
  ] as const) {
    test(`may not be open yet at its first line: ${opens ? "that opens it" : "not so"}`, async () => {
      const { ended } = await run((document) => {
        document.firstLineOpens = opens;
        document.fortunes.coffee = [PAPER];
        document.counted = [{ ...NO_SUMS, open: false }];
      });
      expect(ended).toBe(expected);
    });
  }

  test("must be open behind its first line, even where that opened it", async () => {
    const { ended } = await run((document) => {
      document.firstLineOpens = true;
      document.fortunes.water = [PAPER];
      document.counted = [{ ...beforeWater, open: false }];
    });
    expect(ended).toBe(PAPER);
  });

  for (const [fate, expected] of [
    ["carried_out", PRINTED],
    ["unclear", "in doubt: no paper"],
  ] as const) {
    test(`at the closing is ${fate === "unclear" ? "in doubt" : "done"}: ${fate}`, async () => {
      const { ended, frames } = await run((document) => {
        document.fortunes.close = [PAPER];
        document.closing = fate;
      });
      expect(ended).toBe(expected);
      expect(frames.filter((name) => name === "close")).toHaveLength(1);
    });
  }

  test("is closed again when the closing was not carried out", async () => {
    const { ended, frames } = await run((document) => {
      document.fortunes.close = [PAPER];
      document.closing = "not_carried_out";
    });
    expect(ended).toBe(PRINTED);
    expect(frames.slice(-5)).toEqual(["close", "closed?", "sums", "close", "number"]);
  });

  test("is in doubt when another receipt stands in the place of the one to close", async () => {
    const { ended, frames } = await run((document) => {
      document.fortunes.close = [PAPER];
      document.closing = "not_carried_out";
      document.counted = [WATER.after, CARD.after, { ...CASH.after, amountMinor: 900 }].map(
        (sums) => ({ ...sums, open: true }),
      );
    });
    expect(ended).toBe("in doubt: no paper");
    expect(frames.slice(-3)).toEqual(["close", "closed?", "sums"]);
  });

  for (const [name, expected, last] of [
    ["card", PAPER, "cancel"],
    ["cash", "in doubt: no paper", "cash"],
  ] as const) {
    test(`for too long, at "${name}", ${last === "cancel" ? "is cancelled" : "is in doubt"}`, async () => {
      const { ended, frames } = await run((document) => {
        document.fortunes[name] = [PAPER];
        document.pauseRounds = 100;
      });
      expect(ended).toBe(expected);
      expect(frames.at(-1)).toBe(last);
    });
  }

  test("waits before the next frame when an answer shows it", async () => {
    const { ended, progress, frames } = await run(({ fortunes }) => {
      for (const name of ["open", "coffee", "card"]) {
        fortunes[name] = [{ refusal: undefined, pause: PAPER }];
      }
    });
    expect(ended).toBe(PRINTED);
    expect(progress.pauses.filter((reason) => reason !== undefined)).toHaveLength(3);
    expect(frames).toEqual([...UP_TO_PAYMENT, ...PAYING, "close", "number"]);
  });
});

describe("a device that is busy as it is given a frame that pays or closes", () => {
  const busyFor = (limitMs: number) => new DeviceBusy(REFUSED, { pollMs: 10, limitMs });

  test.each([
    ["card", "card sums card sums cash ours? close number"],
    ["cash", "card sums cash sums cash ours? close number"],
    ["close", "card sums cash ours? close closed? sums close number"],
  ])("is given %s again behind a look", async (name, expected) => {
    const { ended, frames } = await run((document) => {
      document.fortunes[name] = [busyFor(10)];
      document.closing = "not_carried_out";
    });
    expect(frames.slice(UP_TO_PAYMENT.length).join(" ")).toBe(expected);
    expect(ended).toBe(PRINTED);
  });

  test("is given it again where it tells no sums to look at", async () => {
    const { ended, frames } = await run((document) => {
      document.comparesSums = false;
      document.fortunes.card = [busyFor(10)];
    });
    expect(frames.join(" ")).toBe("begin open coffee water card card cash ours? close number");
    expect(ended).toBe(PRINTED);
  });

  test.each([
    ["card", "cancel", REFUSED.message],
    ["cash", "cash", `in doubt: ${REFUSED.message}`],
  ])("for too long as %s is sent, ends with %s", async (name, lastFrame, expected) => {
    const { ended, frames } = await run((document) => {
      document.fortunes[name] = [busyFor(20), busyFor(20), busyFor(20)];
    });
    expect(frames.at(-1)).toBe(lastFrame);
    expect(ended instanceof FiscalError ? ended.message : ended).toBe(expected);
  });
});
