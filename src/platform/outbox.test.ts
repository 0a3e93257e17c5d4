import { beforeEach, expect, test } from "bun:test";
import { FakeClock } from "./clock.ts";
import { createLog } from "./log.ts";
import { createOutbox, type Mail, type Outbox } from "./outbox.ts";

let clock: FakeClock;
let lines: string[];
let outbox: Outbox;
/** What becomes of the attempts; the last one stands for all later ones. */
let script: (Error | "sent" | "hangs")[];
/** When each attempt began. */
let attempts: number[];
let aborted: number;

beforeEach(() => {
  clock = new FakeClock(0);
  [lines, script, attempts, aborted] = [[], ["sent"], [], 0];
  const log = createLog({ level: "info", clock, sink: { write: (line) => lines.push(line) } });
  outbox = createOutbox({
    clock,
    log,
    deliver(_mail, signal) {
      attempts.push(clock.now());
      const [outcome = "sent"] = script.length > 1 ? script.splice(0, 1) : script;
      if (outcome === "sent") return Promise.resolve();
      if (outcome !== "hangs") return Promise.reject(outcome);
      return new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          aborted += 1;
          reject(new Error("the connection was closed"));
        });
      });
    },
  });
});

const HOUR_MS = 3_600_000;
const mail = (): Mail => ({
  ...{ to: "ana@example.com", subject: "s", text: "a secret code", about: { userId: "usr_1" } },
  expiresAt: clock.now() + HOUR_MS,
});
const away = () => new Error("connect ECONNREFUSED 10.0.0.1:587");
const logged = (message: string) =>
  lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === message);

test("a mail is sent at once and then forgotten", async () => {
  outbox.send(mail());
  await clock.advanceAsync(HOUR_MS);
  expect(attempts).toEqual([0]);
  expect(logged("mail sent")).toMatchObject([{ userId: "usr_1", attempt: 1 }]);
  expect(clock.pendingTimers).toBe(0);
});

test("one that cannot be sent is tried again, for a while", async () => {
  script = [away()];
  outbox.send(mail());
  await clock.advanceAsync(HOUR_MS);
  expect(attempts).toEqual([0, 10_000, 70_000, 370_000, 1_270_000]);
  expect(logged("mail not sent yet")).toHaveLength(4);
  expect(logged("mail given up")).toMatchObject([
    { userId: "usr_1", attempt: 5, reason: "connect ECONNREFUSED 10.0.0.1:587" },
  ]);
  expect(clock.pendingTimers).toBe(0);
  expect(lines.join("")).not.toMatch(/secret code|ana@example/);
});

test("one goes out when the server is back", async () => {
  script = [away(), away(), "sent"];
  outbox.send(mail());
  await clock.advanceAsync(HOUR_MS);
  expect(attempts).toEqual([0, 10_000, 70_000]);
  expect(logged("mail sent")).toMatchObject([{ attempt: 3 }]);
});

test("a server that hangs is left after half a minute, and tried again", async () => {
  script = ["hangs", "sent"];
  outbox.send(mail());
  await clock.advanceAsync(29_999);
  expect(aborted).toBe(0);
  await clock.advanceAsync(1);
  expect(aborted).toBe(1);
  expect(logged("mail not sent yet")).toMatchObject([
    { reason: "the mail server took more than 30 s" },
  ]);
  await clock.advanceAsync(10_000);
  expect(attempts).toEqual([0, 40_000]);
  expect(logged("mail sent")).toHaveLength(1);
});

test("what the server refuses for good is not tried again, what it puts off is", async () => {
  script = [Object.assign(new Error("450 try later"), { responseCode: 450 }), "sent"];
  outbox.send(mail());
  await clock.advanceAsync(10_000);
  expect(attempts).toHaveLength(2);
  script = [Object.assign(new Error("550 no such user"), { responseCode: 550 })];
  outbox.send(mail());
  await clock.advanceAsync(HOUR_MS);
  expect(attempts).toHaveLength(3);
  expect(logged("mail given up")).toMatchObject([{ reason: "550 no such user" }]);
});

test("nothing is sent that has expired", async () => {
  script = [away()];
  outbox.send({ ...mail(), expiresAt: clock.now() + 70_000 });
  await clock.advanceAsync(HOUR_MS);
  expect(attempts).toEqual([0, 10_000]);
  expect(logged("mail given up")).toHaveLength(1);
});

test("fifty wait at most, and room comes back", async () => {
  script = ["hangs"];
  for (let count = 0; count < 51; count += 1) outbox.send(mail());
  await clock.advanceAsync(0);
  expect(attempts).toHaveLength(50);
  expect(logged("mail given up")).toMatchObject([{ reason: "50 others wait" }]);
  script = ["sent"];
  await clock.advanceAsync(40_000);
  outbox.send(mail());
  await clock.advanceAsync(0);
  expect(attempts).toHaveLength(101);
});

test("a gateway that stops gives up what is under way and what waits", async () => {
  script = ["hangs", away()];
  outbox.send(mail());
  outbox.send(mail());
  await clock.advanceAsync(0);
  outbox.stop();
  await clock.advanceAsync(HOUR_MS);
  expect([aborted, attempts, clock.pendingTimers]).toEqual([1, [0, 0], 0]);
});
