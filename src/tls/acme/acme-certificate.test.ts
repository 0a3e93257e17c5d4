/** A certificate of an authority elsewhere: when it is asked for again. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import { type AcmeAuthority, startAcmeAuthority } from "../testing/acme-authority.ts";
import { AcmeCertificate, type AcmeSettings } from "./acme-certificate.ts";
import { HttpAnswers } from "./solvers.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let folder: string;
let clock: FakeClock;
let asked: number;
let authority: Bun.Server<undefined>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-acme-"));
  clock = new FakeClock();
  asked = 0;
  authority = Bun.serve({
    ...{ hostname: "127.0.0.1", port: 0 },
    fetch() {
      asked += 1;
      const problem = { type: "urn:ietf:params:acme:error:serverInternal", detail: "Not today" };
      return Response.json(problem, { status: 503 });
    },
  });
});
afterEach(() => {
  authority.stop(true);
  rmSync(folder, { recursive: true });
});

function certificate(change: Partial<AcmeSettings> = {}) {
  let ended = Promise.withResolvers<void>();
  const one = new AcmeCertificate({
    ...{ folder: join(folder, "tls"), answers: new HttpAnswers(), clock, log: silentLog },
    settings: {
      ...{ directory: authority.url.href, names: ["till.shop.example"], contact: "" },
      ...{ acceptTerms: true, caFile: "", dnsCommand: "", dnsWaitMs: 0, ...change },
    },
    changed: () => ended.resolve(),
    chance: () => 0.5,
  });
  const look = (): string => {
    try {
      one.look();
      return "";
    } catch (error) {
      return error instanceof Error ? error.message : "";
    }
  };
  /** Looks, and waits for the try that this began. */
  const tried = async (): Promise<string> => {
    ended = Promise.withResolvers();
    look();
    await ended.promise;
    return look();
  };
  return { one, look, tried };
}

test("a refusal is told, and asked about again after 5 minutes, then 10, over a restart too", async () => {
  const first = certificate();
  expect(await first.tried()).toContain("the authority answers 503: Not today");
  clock.advance(5 * MINUTE_MS - 1);
  first.look();
  expect(asked).toBe(1);
  clock.advance(1);
  await first.tried();
  expect([asked, first.one.failed?.failures]).toEqual([2, 2]);

  const again = certificate();
  expect(again.look()).toContain("Not today");
  clock.advance(10 * MINUTE_MS - 1);
  again.look();
  expect(asked).toBe(2);
  clock.advance(1);
  await again.tried();
  expect([asked, again.one.failed?.failures]).toEqual([3, 3]);
});

test("a try that failed while the clock was ahead does not keep the next one back", async () => {
  clock.advance(50 * 365 * 24 * 60 * MINUTE_MS);
  await certificate().tried();
  clock.jumpTo(Date.UTC(2026, 10, 28));
  const again = certificate();
  await again.tried();
  expect([asked, again.one.failed?.failures]).toEqual([2, 2]);
  clock.advance(10 * MINUTE_MS - 1);
  again.look();
  expect(asked).toBe(2);
});

test("other settings, or a person who says so, are tried at once", async () => {
  await certificate().tried();
  const other = certificate({ contact: "it@shop.example" });
  await other.tried();
  expect([asked, other.one.failed?.failures]).toEqual([2, 1]);
  other.one.tryAtOnce();
  await other.tried();
  expect([asked, other.one.failed?.failures]).toEqual([3, 2]);
});

test("nothing is asked while the clock was never set, nor once the gateway stops", async () => {
  clock = new FakeClock(Date.UTC(2020, 0, 1));
  expect(certificate().look()).toBe("the certificate is being asked for");
  clock = new FakeClock();
  const { one, look } = certificate();
  one.stop();
  look();
  // By the end of a try with other settings one that began before would have asked.
  await certificate({ acceptTerms: false }).tried();
  expect(asked).toBe(0);
});

describe("a certificate that was obtained", () => {
  const answers = new HttpAnswers();
  /** By how much the authority's clock is ahead of the gateway's. */
  let aheadMs = 0;
  let proofs: Bun.Server<undefined>;
  let signing: AcmeAuthority;
  beforeAll(async () => {
    proofs = Bun.serve({
      ...{ hostname: "127.0.0.1", port: 0 },
      fetch: ({ url }) => new Response(answers.find(url.split("/").at(-1) ?? "")),
    });
    signing = await startAcmeAuthority({
      ...{ clock: { now: () => clock.now() + aheadMs }, days: 90 },
      port: () => Number(proofs.url.port),
    });
  });
  afterAll(() => {
    signing.stop();
    proofs.stop(true);
  });

  /** Obtains one for a gateway that looks again as soon as a try has ended, as HTTPS does. */
  async function obtained(name: string): Promise<AcmeCertificate> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const one = open(name, () => {
      one.look();
      resolve();
    });
    expect(() => one.look()).toThrow("is being asked for");
    await promise;
    return one;
  }

  const open = (name: string, changed = (): void => undefined): AcmeCertificate =>
    new AcmeCertificate({
      ...{ folder: join(folder, name), answers, clock, log: silentLog, changed },
      settings: {
        ...{ directory: signing.directory, names: [`${name}.shop.example`], contact: "" },
        ...{ acceptTerms: true, caFile: "", dnsCommand: "", dnsWaitMs: 0 },
      },
    });

  test.each([
    ["behind, so that it begins in the future", 3 * HOUR_MS],
    ["ahead, so that it is old already", -70 * DAY_MS],
  ])("by a clock that is %s stays for a week, over a restart too", async (_, ms) => {
    aheadMs = ms;
    const orders = signing.orders();
    const till = await obtained("till");
    const { fingerprint } = till.look();
    clock.advance(HOUR_MS);
    expect([till, open("till")].map((one) => one.look().fingerprint)).toEqual([
      fingerprint,
      fingerprint,
    ]);
    clock.advance(7 * DAY_MS - HOUR_MS - 1);
    expect(open("till").look().fingerprint).toBe(fingerprint);
    // By the end of another's try one that began before would have asked.
    await obtained("bar");
    expect(signing.orders() - orders).toBe(2);
  });

  test("is asked for at once where its file is gone", async () => {
    aheadMs = 0;
    await obtained("till");
    rmSync(join(folder, "till", "acme.pem"));
    const orders = signing.orders();
    await obtained("till");
    expect(signing.orders() - orders).toBe(1);
  });
});
