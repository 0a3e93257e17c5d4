/** Over real multicast, on the loopback and at a port of the test's own. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createSocket } from "node:dgram";
import { until } from "../e2e/harness/until.ts";
import { type Clock, FakeClock, systemClock } from "../platform/clock.ts";
import { Announcer } from "./announcer.ts";
import { findGateways } from "./finder.ts";
import { isOnLink } from "./interfaces.ts";
import { type Message, type Multicast, openMulticast } from "./multicast.ts";

const LOOPBACK = { address: "127.0.0.1", netmask: "255.0.0.0", sixes: [] };

const TAKEN = { name: "fiscald.local", ttl: 120 } as const;

let port: number;
let announcer: Announcer | undefined;
let logged: string[];
let other: Multicast;
let heard: Message[];
/** What another machine says to each question; none unless given. */
let answering: Partial<Message> | undefined;
beforeEach(async () => {
  port = 20_000 + (process.pid % 20_000) + Math.floor(performance.now() % 1_000);
  logged = [];
  heard = [];
  answering = undefined;
  other = await openMulticast(LOOPBACK, {
    port,
    query: () => answering && other.respond(answering),
    response: (response) => void heard.push(response),
    failed: (error) => {
      throw error;
    },
  });
});
afterEach(() => {
  announcer?.stop();
  other.close();
});

function announce(
  clock: Pick<Clock, "setTimer"> = systemClock,
  interfaces = () => [LOOPBACK],
): Announcer {
  const note = (message: string) => void logged.push(message);
  announcer = new Announcer({
    label: "fiscald",
    about: () => ({ httpPort: 8080, httpsPort: 8443, version: "1.2.3" }),
    clock,
    log: { info: note, warn: note },
    interfaces,
    ownAddresses: () => ["127.0.0.1", "fe80::1"],
    port,
  });
  return announcer;
}

const announced = () =>
  until("the announcement", () => logged.includes("announced in the network") || undefined);

describe("a gateway in the network", () => {
  test("is found, with its ports, and no longer when it has gone", async () => {
    const find = () =>
      findGateways({ clock: systemClock, waitMs: 90, interfaces: [LOOPBACK], port });
    announce();
    await announced();
    expect(await find()).toEqual([
      {
        ...{ host: "fiscald.local", addresses: ["127.0.0.1"], version: "1.2.3" },
        ...{ httpPort: 8080, httpsPort: 8443 },
      },
    ]);
    announcer?.stop();
    await until(
      "the goodbye",
      () =>
        heard.some(
          ({ answers }) =>
            answers.length > 0 && answers.every((record) => "ttl" in record && record.ttl === 0),
        ) || undefined,
    );
    expect(await find()).toEqual([]);
  });

  test("answers for its name, and says that it has no IPv6 address", async () => {
    announce();
    await announced();
    heard = [];
    other.query({ name: "FISCALD.local", type: "AAAA" });
    const answer = await until("an answer", () =>
      heard.flatMap(({ answers }) => answers).find(({ type }) => type === "NSEC"),
    );
    expect(answer).toMatchObject({ name: "fiscald.local", data: { rrtypes: ["A"] } });
  });

  test("leaves its name to another machine that has it, and takes the next", async () => {
    const gateway = announce();
    await announced();
    other.respond({ answers: [{ name: "fiscald.local", type: "A", ttl: 120, data: "10.9.9.9" }] });
    await until("another name", () => (gateway.label === "fiscald-2" ? true : undefined));
    expect(logged).toContain("another machine has this name in the network");
    // Its own address under the name is no other machine's: the system announces it too.
    other.respond({
      answers: [{ name: "fiscald-2.local", type: "A", ttl: 120, data: "127.0.0.1" }],
    });
    await until(
      "the second announcement",
      () => logged.filter((line) => line === "announced in the network").length === 2 || undefined,
    );
    expect(gateway.label).toBe("fiscald-2");
  });

  test("keeps its name where the machine's own resolver tells a link-local address of it", async () => {
    const gateway = announce();
    await announced();
    const resolver = (data: string) =>
      other.respond({ answers: [{ ...TAKEN, type: "AAAA", data }] });
    const told = (data: string) =>
      until(`word of ${data}`, () =>
        heard.some(({ answers }) =>
          answers.some((record) => "data" in record && record.data === data),
        ),
      );
    resolver("fe80::1");
    await told("fe80::1");
    expect(gateway.label).toBe("fiscald");
    resolver("fe80::2");
    await until("another name", () => gateway.label === "fiscald-2" || undefined);
  });

  test("says nothing of itself while another program keeps the port, and begins once that is free", async () => {
    port += 1;
    const holder = createSocket("udp4");
    await new Promise<void>((resolve) => holder.bind(port, () => resolve()));
    let looks = 0;
    const clock = new FakeClock();
    announce(clock, () => {
      looks += 1;
      return [LOOPBACK];
    });
    await passing(clock, "three looks", () => looks > 3);
    expect(logged).toEqual(["not announced in the network"]);
    await new Promise<void>((resolve) => holder.close(() => resolve()));
    await passing(clock, "the announcement", () => logged.includes("announced in the network"));
    expect(logged).toEqual(["not announced in the network", "announced in the network"]);
  });

  const THEIRS = { answers: [{ ...TAKEN, type: "A", data: "10.9.9.9" }] } as const;
  /** Lets rounds pass until something is so. */
  const passing = (clock: FakeClock, what: string, isSo: () => boolean) =>
    until(what, async () => {
      await clock.advanceAsync(1_000);
      return isSo() || undefined;
    });

  test("takes its own name again once nobody answers for it, as after a forged answer", async () => {
    const clock = new FakeClock();
    const gateway = announce(clock);
    await passing(clock, "the name", () => logged.includes("announced in the network"));
    other.respond(THEIRS);
    await until("another name", () => gateway.label === "fiscald-2");
    await passing(clock, "its own name", () => gateway.label === "fiscald");
    heard = [];
    await passing(clock, "the announcement", () =>
      heard.flatMap(({ answers }) => answers).some(({ name }) => name === "fiscald.local"),
    );
  });

  test("goes through ten names at most where somebody claims each, and then rests for a minute", async () => {
    const clock = new FakeClock();
    const gateway = announce(clock);
    await passing(clock, "the name", () => logged.includes("announced in the network"));
    const left = () => logged.filter((line) => line.startsWith("another machine")).length;
    const others = Array.from({ length: 40 }, (_, index) => `fiscald-${index + 2}.local`);
    const claims = ["fiscald.local", ...others].map(
      (name) => ({ ...TAKEN, name, type: "A" }) as const,
    );
    heard = [];
    for (let claim = 1; claim <= 12; claim += 1) {
      // In pieces: it is more than a packet may hold.
      for (let at = 0; at < claims.length; at += 14) {
        other.respond({
          answers: claims.slice(at, at + 14).map((one) => ({ ...one, data: "10.9.9.9" })),
        });
      }
    }
    await until("the last claim", () => heard.length >= 12 * 3);
    await until("the last name", () => gateway.label === "fiscald-10");
    expect(left()).toBe(10);
    // Long enough to be sure of a name.
    await clock.advanceAsync(5_000);
    const announcements = () => logged.filter((line) => line === "announced in the network").length;
    expect([gateway.label, announcements()]).toEqual(["fiscald-10", 1]);
    // Of the one name that another machine really has.
    answering = THEIRS;
    await passing(clock, "a further name", () => gateway.label === "fiscald-2");
    await passing(clock, "the announcement", () => logged.at(-1) === "announced in the network");
    expect(left()).toBe(10);
  });

  test("announces no name that is claimed between its two announcements", async () => {
    const clock = new FakeClock();
    const gateway = announce(clock);
    await until("the name", async () => {
      await clock.advanceAsync(250);
      return logged.includes("announced in the network");
    });
    const names = ["fiscald", ...Array.from({ length: 9 }, (_, index) => `fiscald-${index + 2}`)];
    for (const [index, name] of names.entries()) {
      other.respond({ answers: [{ ...THEIRS.answers[0], name: `${name}.local` }] });
      const next = names[index + 1];
      if (next !== undefined) await until("the next name", () => gateway.label === next);
    }
    await until(
      "the last claim",
      () => logged.filter((line) => line.startsWith("another")).length === 10,
    );
    const own = () =>
      heard
        .flatMap(({ answers }) => answers)
        .filter((record) => record.type === "A" && record.data === "127.0.0.1")
        .map(({ name }) => name);
    await clock.advanceAsync(5_000);
    // What was sent before it has been heard by then.
    other.respond({ answers: [{ ...TAKEN, name: "behind.local", type: "A", data: "10.9.9.9" }] });
    await until("what is sent behind it", () =>
      heard.flatMap(({ answers }) => answers).some(({ name }) => name === "behind.local"),
    );
    expect([gateway.label, ...new Set(own())]).toEqual(["fiscald-10", "fiscald.local"]);
  });

  test("leaves it for as long as the other machine answers", async () => {
    const clock = new FakeClock();
    const gateway = announce(clock);
    await passing(clock, "the name", () => logged.includes("announced in the network"));
    answering = THEIRS;
    other.respond(THEIRS);
    await until("another name", () => gateway.label === "fiscald-2");
    for (let round = 0; round < 20; round += 1) {
      heard = [];
      await passing(clock, "an answer of the other", () =>
        heard
          .flatMap(({ answers }) => answers)
          .some((record) => record.type === "A" && record.data === "10.9.9.9"),
      );
    }
    expect(logged.filter((line) => line.startsWith("another machine"))).toHaveLength(1);
    expect(gateway.label).toBe("fiscald-2");
  });
});

test("only the interface's own network is heard", () => {
  const lan = { address: "192.168.1.9", netmask: "255.255.255.0", sixes: [] };
  expect(isOnLink(lan, "192.168.1.200")).toBe(true);
  expect(isOnLink(lan, "192.168.2.9")).toBe(false);
});
