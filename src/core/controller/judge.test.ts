import { describe, expect, test } from "bun:test";
import {
  acceptedCommand,
  type Command,
  type CommandResult,
  type Outcome,
} from "../command/command.ts";
import { judge, type Report, type Reporter, type Verdict } from "./judge.ts";

const ORG = "0123456789ab";
const PRINTED: CommandResult = { success: true, data: {}, fiscalId: "27" };
const failed = (outcome?: Outcome): CommandResult => ({
  success: false,
  errorCode: "E305",
  errorMessage: "refused",
  ...(outcome === undefined ? {} : { data: { outcome } }),
});

/** A receipt that controller `c1` has, in its second hand-over. */
function command(change: Partial<Command> = {}): Command {
  const accepted = acceptedCommand({
    ...{ id: "cmd_1", orgId: ORG, deviceId: "dev_1", type: "print_receipt", payload: {} },
    ...{ source: "api", createdAt: 0, expiresAt: 180_000, simulated: false },
  });
  return {
    ...{ ...accepted, seq: 1, status: "processing", controllerId: "c1", epoch: 2 },
    ...{ sentAt: 0, processingAt: 0, mark: "committing", baseline: {} },
    ...change,
  };
}

const C1: Reporter = { orgId: ORG, controllerId: "c1", reportsMarks: true };
const ack = (epoch?: number): Report => ({ kind: "ack", commandId: "cmd_1", epoch });
const mark = (epoch?: number): Report => ({
  ...{ kind: "mark", commandId: "cmd_1", epoch, mark: "committing", baseline: undefined },
});
const result = (said: CommandResult, epoch?: number): Report => ({
  ...{ kind: "result", commandId: "cmd_1", epoch, result: said },
});
const judged = (
  stored: Command | undefined,
  report: Report,
  { reporter = C1, isOver = false }: { reporter?: Reporter; isOver?: boolean } = {},
): Verdict => judge(stored, report, { reporter, isOver });

/** What would be stored of a result. */
function stored(verdict: Verdict): CommandResult | undefined {
  if (verdict.kind !== "apply" || verdict.report.kind !== "result") return undefined;
  return verdict.report.result;
}

describe("a success that says otherwise too", () => {
  test.each(["unknown", "not_printed"])("is as good as nobody's knowledge: %s", (outcome) => {
    const said: CommandResult = { success: true, fiscalId: "5", data: { outcome, total: 3 } };
    for (const reporter of [C1, { ...C1, reportsMarks: false }]) {
      const verdict = judged(command({ mark: "committed" }), result(said), { reporter });
      expect(verdict).toMatchObject({ kind: "apply", audit: "success with another outcome" });
      expect(stored(verdict)).toEqual({
        success: false,
        errorCode: "E102",
        errorMessage: expect.any(String),
        data: { outcome: "unknown", total: 3 },
      });
    }
  });

  test("tells nothing of a command that a person settled", () => {
    const settled = command({
      status: "completed",
      result: { ...PRINTED, data: { settledBy: "user_1" } },
    });
    const asked = { controllerId: "c1", epoch: 2 };
    const said: CommandResult = { success: true, fiscalId: "28", data: { outcome: "unknown" } };
    const verdict = judge(settled, result(said), { reporter: C1, isOver: false, asked });
    expect(verdict).toMatchObject({ kind: "answer", answer: "untold" });
  });
});

describe("who may report", () => {
  test.each([
    ["no such command", undefined, C1],
    ["another controller of the organization", command(), { ...C1, controllerId: "c2" }],
    ["a controller of the same name elsewhere", command(), { ...C1, orgId: "ba9876543210" }],
    ["a command that nobody has", command({ controllerId: null, status: "pending" }), C1],
  ])("%s: not yours, audited", (_, known, reporter) => {
    for (const report of [ack(), mark(), result(PRINTED)]) {
      const verdict = judged(known, report, { reporter });
      expect(verdict).toEqual({ kind: "refuse", code: "NOT_YOURS", audit: expect.any(String) });
    }
  });

  test("the built-in controller speaks for every organization", () => {
    const reporter = { ...C1, orgId: null };
    expect(judged(command(), mark(2), { reporter })).toMatchObject({ kind: "apply" });
  });
});

describe("the hand-over", () => {
  test("an older one is stale, audited, and changes nothing", () => {
    for (const report of [ack(1), mark(1), result(failed("not_printed"), 1)]) {
      expect(judged(command(), report)).toMatchObject({ kind: "refuse", code: "STALE" });
    }
  });

  test("an older one of a controller that lost the device is stale as well", () => {
    const taken = command({ controllerId: "c2", formerControllers: ["c1"] });
    expect(judged(taken, result(PRINTED, 1))).toMatchObject({
      code: "STALE",
      late: { result: PRINTED },
    });
  });

  test("an older one is anybody's of the shop where nobody knows who had the command", () => {
    const taken = command({ controllerId: "c2", formerControllers: null });
    expect(judged(taken, result(PRINTED, 1))).toMatchObject({
      code: "STALE",
      late: { result: PRINTED },
    });
    const elsewhere = { ...C1, orgId: "ba9876543210" };
    const verdict = judged(taken, result(PRINTED, 1), { reporter: elsewhere });
    expect(verdict).toEqual({ kind: "refuse", code: "NOT_YOURS", audit: expect.any(String) });
  });

  test("an older one is not known to who never had the command", () => {
    const taken = command({ controllerId: "c2", formerControllers: ["c3"] });
    for (const epoch of [0, 1]) {
      const verdict = judged(taken, result(PRINTED, epoch));
      expect(verdict).toEqual({ kind: "refuse", code: "NOT_YOURS", audit: expect.any(String) });
    }
  });

  test("without one the current is meant, if the sender has the command now", () => {
    expect(judged(command(), mark())).toMatchObject({ kind: "apply" });
    expect(judged(command({ controllerId: "c2" }), mark())).toMatchObject({ code: "NOT_YOURS" });
  });

  test("a printed document that is refused for it raises an alert, a failure does not", () => {
    expect(judged(command(), result(PRINTED, 1))).toMatchObject({ late: { result: PRINTED } });
    expect(judged(command(), result(failed("not_printed"), 1))).not.toHaveProperty("late");
    const ledger = command({ type: "z_report" });
    expect(judged(ledger, result(PRINTED, 1))).toMatchObject({ late: { result: PRINTED } });
    const read = command({ type: "get_status" });
    expect(judged(read, result(PRINTED, 1))).not.toHaveProperty("late");
  });
});

describe("a command that has ended", () => {
  const ended = command({ status: "completed", finishedAt: 1, result: PRINTED });

  test("takes no mark, and is never told that one is stored", () => {
    expect(judged(ended, mark(2))).toEqual({ kind: "refuse", code: "FINAL" });
  });

  test("answers a repeated result as before", () => {
    expect(judged(ended, result({ ...PRINTED }, 2))).toEqual({ kind: "known" });
  });

  test("knows the end again that was stored by the number on the paper alone", () => {
    const data = { receiptNumber: "27" };
    const ended = command({ status: "completed", result: { success: true, data } });
    expect(judged(ended, result({ ...PRINTED, data }))).toEqual({ kind: "known" });
  });

  test("keeps its first result against a contradiction, which is audited", () => {
    const verdict = judged(ended, result(failed("not_printed"), 2));
    expect(verdict).toMatchObject({ kind: "refuse", code: "FINAL", audit: expect.any(String) });
  });

  test.each([
    ["committing", true],
    ["opened", false],
  ] as const)("keeps a failure against a success, which raises an alert: %s", (mark, isProven) => {
    const known = command({ mark, status: "failed", result: failed("not_printed") });
    const late = { result: PRINTED, isProven };
    expect(judged(known, result(PRINTED, 2))).toMatchObject({ code: "FINAL", late });
  });

  const ENDS = ["not_printed", "unknown"] as const;

  test.each(ENDS)("that ended %s is known however often its controller says so", (outcome) => {
    const known = command({ status: "failed", result: failed(outcome) });
    expect(judged(known, result(failed(outcome), 2))).toEqual({ kind: "known" });
  });

  test("keeps not printed against unknown, which raises an alert", () => {
    const known = command({ status: "failed", result: failed("not_printed") });
    expect(judged(known, result(failed("unknown"), 2))).toMatchObject({
      ...{
        code: "FINAL",
        late: { result: failed("unknown"), isProven: false },
        audit: expect.any(String),
      },
    });
  });

  test.each(["print_receipt", "cash_in", "z_report"] as const)(
    "keeps not printed of a %s against a failure that has to be taken for unknown",
    (type) => {
      const known = command({ type, status: "failed", result: failed("not_printed") });
      for (const said of [failed("unknown"), failed()]) {
        expect(judged(known, result(said, 2))).toMatchObject({
          ...{ code: "FINAL", late: { result: { success: false, data: { outcome: "unknown" } } } },
        });
      }
      const unmarked = { ...known, mark: null };
      expect(judged(unmarked, result(failed(), 2))).not.toHaveProperty("late");
    },
  );

  test("keeps unknown against a success that is not believed, which is news", () => {
    const known = command({ status: "failed", mark: "opened", result: failed("unknown") });
    expect(judged(known, result(PRINTED, 2))).toMatchObject({
      code: "FINAL",
      late: { result: PRINTED },
    });
  });

  test("keeps unknown against not printed, which is audited", () => {
    const known = command({ status: "failed", result: failed("unknown") });
    const verdict = judged(known, result(failed("not_printed"), 2));
    expect(verdict).toMatchObject({ code: "FINAL", audit: expect.any(String) });
    expect(verdict).not.toHaveProperty("late");
  });

  test.each([
    ["without its outcome", "committing", failed()],
    ["not printed after committed", "committed", failed("not_printed")],
  ] as const)("is known by what was made of its result: %s", (_, mark, said) => {
    const running = command({ mark });
    const ended = {
      ...running,
      status: "failed",
      result: stored(judged(running, result(said, 2))),
    };
    expect(judged(ended as Command, result(said, 2))).toEqual({ kind: "known" });
  });

  test.each([
    ["timeout", { success: false, errorCode: "E500" }],
    ["failed", { success: false, errorCode: "E903" }],
  ] as const)("of which the device was not asked (%s) keeps the news", (status, known) => {
    const verdict = judged(command({ status, result: known }), result(failed("unknown"), 2));
    expect(verdict).toMatchObject({ code: "FINAL", late: { result: failed("unknown") } });
  });
});

describe("time", () => {
  const sent = command({ status: "sent", mark: null, processingAt: null });

  test("nothing begins after it is over", () => {
    for (const report of [ack(2), mark(2)]) {
      expect(judged(sent, report, { isOver: true })).toEqual({ kind: "expire" });
    }
  });

  test("what has begun goes on, and a result is taken", () => {
    expect(judged(command(), mark(2), { isOver: true })).toMatchObject({ kind: "apply" });
    const verdict = judged(sent, result(failed("not_printed"), 2), { isOver: true });
    expect(verdict).toMatchObject({ kind: "apply" });
  });
});

describe("a result that does not fit", () => {
  test("not printed after committed: nobody knows", () => {
    const verdict = judged(command({ mark: "committed" }), result(failed("not_printed"), 2));
    expect(stored(verdict)).toMatchObject({ success: false, data: { outcome: "unknown" } });
    expect(verdict).toHaveProperty("audit");
  });

  test("a failure without outcome after committing: nobody knows", () => {
    const verdict = judged(command(), result(failed(), 2));
    const deviceError = { code: "E305", message: "refused" };
    expect(stored(verdict)).toMatchObject({
      ...{ errorCode: "E102", data: { outcome: "unknown", deviceError } },
    });
  });

  test.each([true, false])("that nobody knows has one code, with marks or without: %p", (marks) => {
    const reporter = { ...C1, reportsMarks: marks };
    const verdict = judged(command(), result(failed("unknown"), 2), { reporter });
    const deviceError = { code: "E305", message: "refused" };
    const data = { outcome: "unknown", deviceError };
    expect(stored(verdict)).toEqual({ ...failed(), errorCode: "E102", data });
    expect(verdict).not.toHaveProperty("audit");
  });

  test("a failure without outcome before committing: nothing was paid, so not printed", () => {
    for (const known of [null, "baseline", "opened"] as const) {
      const verdict = judged(command({ mark: known }), result(failed(), 2));
      expect(stored(verdict)).toMatchObject({
        errorCode: "E305",
        data: { outcome: "not_printed" },
      });
    }
  });

  test("a document printed without committing: nobody knows", () => {
    for (const known of [null, "baseline", "opened"] as const) {
      const verdict = judged(command({ mark: known }), result(PRINTED, 2));
      expect(stored(verdict)).toMatchObject({ success: false, data: { outcome: "unknown" } });
      expect(stored(verdict)).not.toHaveProperty("fiscalId");
    }
  });

  test("a document that was read back from the device may have been found printed", () => {
    const recovered = { ...PRINTED, data: { recovered: true } };
    expect(stored(judged(command({ mark: "opened" }), result(recovered, 2)))).toBe(recovered);
  });
});

describe("a failure that says that it was printed", () => {
  const said = { ...failed("printed"), fiscalId: "27" };
  const asSuccess = { success: true, fiscalId: "27", data: { outcome: "printed" } };

  test("is a success, and audited", () => {
    const verdict = judged(command({ mark: "committed" }), result(said, 2));
    expect(verdict).toMatchObject({ kind: "apply", audit: "failure of what was printed" });
    expect(stored(verdict)).toEqual(asSuccess);
  });

  test("is stored once, however often it is said", () => {
    const ended = command({ status: "completed", result: asSuccess });
    expect(judged(ended, result(said, 2))).toEqual({ kind: "known" });
  });

  test("is nobody's knowledge before committing", () => {
    const verdict = judged(command({ mark: "opened" }), result(said, 2));
    expect(stored(verdict)).toMatchObject({ success: false, data: { outcome: "unknown" } });
  });
});

describe("a result that fits", () => {
  test.each([
    ["a document after committing", command(), PRINTED],
    ["not printed after committing", command(), failed("not_printed")],
    ["unknown", command(), { ...failed("unknown"), errorCode: "E102" }],
    ["a report", command({ type: "z_report", mark: null }), PRINTED],
    ["a read", command({ type: "get_status", mark: null }), failed()],
  ] as const)("%s is stored as it is, without an audit entry", (_, known, said) => {
    const report = result(said, 2);
    expect(judged(known, report)).toEqual({ kind: "apply", report });
  });
});

describe("a controller that reports no marks", () => {
  const reporter = { ...C1, reportsMarks: false };
  const known = command({ mark: null });

  test("is believed that something was printed, and audited", () => {
    const verdict = judged(known, result(PRINTED), { reporter });
    expect(verdict).toMatchObject({ kind: "apply", audit: expect.any(String) });
    expect(stored(verdict)).toBe(PRINTED);
  });

  test("is not believed that nothing was printed when it does not say so", () => {
    expect(stored(judged(known, result(failed()), { reporter }))).toMatchObject({
      data: { outcome: "unknown" },
    });
  });

  test("is believed that nothing was printed when it says so", () => {
    const said = failed("not_printed");
    expect(stored(judged(known, result(said), { reporter }))).toBe(said);
  });
});

describe("a command of which it is not known who had it", () => {
  const told = { success: true, fiscalId: "27" };
  const of = (change: Partial<Command>, epoch?: number): Verdict =>
    judged(
      command({ ...change, status: "failed", result: failed("unknown") }),
      result(told, epoch),
    );
  const HEARD = { kind: "refuse", code: "STALE", late: { result: told } };
  const STRANGE = { kind: "refuse", code: "NOT_YOURS" };

  test("may have been given to anybody of the shop by a run that is not known here", () => {
    const lost = { formerControllers: null, controllerId: null, epoch: 0, mark: null };
    expect(of(lost, 1)).toMatchObject(HEARD);
    // By an older app.
    expect(of(lost)).toMatchObject(HEARD);
    const others = { formerControllers: null, controllerId: "c2", epoch: 2 };
    expect(of(others, 3)).toMatchObject(HEARD);
    expect(of(others, 1)).toMatchObject(HEARD);
    expect(of(others, 2)).toMatchObject(STRANGE);
    expect(of(others)).toMatchObject(STRANGE);
  });

  test("was given to nobody else where that is known, whatever hand-over is named", () => {
    const known = { formerControllers: [], controllerId: "c2", epoch: 2 };
    for (const epoch of [1, 2, 3]) expect(of(known, epoch)).toMatchObject(STRANGE);
  });
});

describe("a command that a person settled, while its printer is asked", () => {
  const DENIED = {
    ...failed("not_printed"),
    data: { outcome: "not_printed", settledBy: "user:u" },
  };
  const denied = command({ status: "failed", result: DENIED });
  const asked = { controllerId: "c2", epoch: 3 };
  const C2 = { ...C1, controllerId: "c2" };
  const of = (report: Report, reporter = C2): Verdict =>
    judge(denied, report, { reporter, isOver: false, asked });

  test("is answered for by whoever has the question, in its last hand-over", () => {
    expect(of(result(PRINTED, 3))).toEqual({
      ...{ kind: "answer", answer: "contradicts", result: PRINTED, isProven: true },
    });
    expect(of(result(PRINTED, 2))).toMatchObject({ kind: "refuse", code: "STALE" });
    expect(of(result(PRINTED, 2), C1)).toMatchObject({ kind: "refuse", code: "STALE" });
    expect(of(result(PRINTED), C1)).toMatchObject({ kind: "refuse", code: "NOT_YOURS" });
  });

  test("goes no further: no mark that says so is stored", () => {
    expect(of(ack(3))).toEqual({ kind: "known" });
    expect(of({ ...mark(3), mark: "committed" } as Report)).toMatchObject({ code: "FINAL" });
    // Be it that which is stored: it asks whether it may pay.
    const asks = { ...mark(3), mark: "committing", baseline: { last: 26 } } as Report;
    expect(of(asks)).toEqual({ kind: "refuse", code: "FINAL" });
    const baseline = { paid: true };
    expect(of({ commandId: "c", epoch: 3, kind: "learned", baseline })).toEqual({
      ...{ kind: "learn", baseline },
    });
    const older = { ...mark(3), mark: "committing", baseline } as Report;
    expect(of(older)).toEqual({ kind: "learn", baseline });
  });
});
