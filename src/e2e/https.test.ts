/** HTTPS as a till meets it: over the network, with the certificate checked. */

import { describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import type { Network } from "../modules/network/schema.ts";
import { rejection } from "../platform/testing/rejection.ts";
import { createAuthority, issueCertificate } from "../tls/authority.ts";
import type { KeyAndCertificate } from "../tls/pem.ts";
import { boxForEachTest } from "./harness/box-for-each-test.ts";
import { ApiClient, registerShop } from "./harness/gateway.ts";
import { type OwnProcess, startOwnProcess, textOf } from "./harness/own-process.ts";
import { runToEnd } from "./harness/run-to-end.ts";
import { until } from "./harness/until.ts";
import { withinMemory } from "./harness/within-memory.ts";

/**
 * A gateway takes less; one that reads what never ends comes to this instead of to all there is. Below 4 GiB
 * the engine does without its compiler, and so without libc, by which a port is handed over unnoticed.
 */
const MEMORY_MEBIBYTES = 4_096;

const box = boxForEachTest();

async function serve(...settings: readonly string[]): Promise<OwnProcess> {
  return box.keep(
    startOwnProcess(
      withinMemory(MEMORY_MEBIBYTES, [
        ...[box.program, "serve", "--state-dir", box.stateDir, "--http-listen=127.0.0.1:0"],
        ...["--https-listen=127.0.0.1:0", "--http-drain-seconds=0", ...settings],
      ]),
    ),
  );
}

/** The fingerprint that whoever connects now is shown. */
function shownBy(url: string, ca: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const { port } = new URL(url);
  const socket = connect({ host: "127.0.0.1", port: Number(port), ca });
  socket.on("error", reject);
  socket.on("secureConnect", () => {
    resolve(socket.getPeerCertificate().fingerprint256 ?? "");
    socket.destroy();
  });
  return promise;
}

/** How many certificates whoever connects now is sent: one, and those between it and an authority. */
function chainLength(url: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const port = Number(new URL(url).port);
  // Without an authority of its own, which would complete the chain.
  const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false });
  socket.on("error", reject);
  socket.on("secureConnect", () => {
    const seen = new Set<string>();
    let next = socket.getPeerCertificate(true);
    while (next?.fingerprint256 !== undefined && !seen.has(next.fingerprint256)) {
      seen.add(next.fingerprint256);
      next = next.issuerCertificate;
    }
    resolve(seen.size);
    socket.destroy();
  });
  return promise;
}

/** What never ends, and a file of more than the memory, with what is said of it. */
const ENDLESS = [
  ["/dev/zero", "is no file"],
  ["hole", "more than 1048576"],
] as const;
const HOLE_BYTES = 20_000_000_000;

interface Check {
  readonly status: string;
  readonly detail?: string;
}
interface Health {
  readonly checks: { readonly https: Check };
}
/** What comes of reading it whole. */
const isOutOfMemory = ({ detail }: Check): boolean => detail?.includes("ENOMEM") === true;

describe("HTTPS", () => {
  test("never has a new authority in place of one that is damaged, and says so", async () => {
    const own = ["--https-certificate=own"];
    const first = await serve(...own);
    const secureAtFirst = textOf(await first.line("listening with TLS"), "url");
    const ca = join(box.stateDir, "tls", "ca.pem");
    const server = join(box.stateDir, "tls", "server.pem");
    const whole = readFileSync(ca, "utf8");
    const fingerprint = await shownBy(secureAtFirst, whole);
    expect(await first.stop()).toBe(0);
    truncateSync(ca, 300);
    const cut = readFileSync(ca, "utf8");
    const told = expect.stringContaining(`${ca} is damaged`);
    const health = async (plain: string): Promise<Check> => {
      const answer = (await (await fetch(`${plain}/health`)).json()) as Health;
      return answer.checks.https;
    };

    // The certificate that tills know is served as long as there is one.
    const second = await serve(...own);
    const plain = textOf(await second.line("listening"), "url");
    const secure = textOf(await second.line("listening with TLS"), "url");
    expect(await shownBy(secure, whole)).toBe(fingerprint);
    await until("the health to tell", async () => (await health(plain)).status !== "ok");
    expect(await health(plain)).toMatchObject({ status: "degraded", detail: told });
    expect(await second.stop()).toBe(0);
    expect(readFileSync(ca, "utf8")).toBe(cut);
    for (const words of [["doctor"], ["tls"]]) {
      const { out } = await runToEnd([box.program, ...words, "--state-dir", box.stateDir], {
        env: { FISCALD_HTTPS_CERTIFICATE: "own" },
      });
      expect(out.replaceAll(/\s+/g, " ")).toContain(`${ca} is damaged`);
    }

    rmSync(server);
    const third = await serve(...own);
    const url = textOf(await third.line("listening"), "url");
    await until(
      "the health to tell",
      async () => (await health(url)).detail?.includes("damaged") === true,
    );
    expect(await health(url)).toMatchObject({ status: "failed", detail: told });
    expect(third.output()).not.toContain("listening with TLS");
    expect(readFileSync(ca, "utf8")).toBe(cut);
    // Put back beside it, it goes on with the same one.
    writeFileSync(ca, whole);
    expect(await shownBy(textOf(await third.line("listening with TLS"), "url"), whole)).not.toBe(
      "",
    );
  });

  test("with the own authority answers those who trust it, and is off unless asked for", async () => {
    const gateway = await serve("--https-certificate=own", "--https-names=kasa.shop.example");
    const plain = textOf(await gateway.line("listening"), "url");
    const secure = textOf(await gateway.line("listening with TLS"), "url");
    const ca = await (await fetch(`${plain}/ca.pem`)).text();
    const page = await (await fetch(`${plain}/ca`)).text();
    const answer = await fetch(`${secure}/health`, { tls: { ca } });
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { checks: { https: { status: "ok" } } },
    ]);
    const registering = (host: string) =>
      fetch(`${secure}/api/v1/auth/register`, {
        ...{ method: "POST", headers: { host, "content-type": "application/json" }, tls: { ca } },
        body: JSON.stringify({ setupCode: "none" }),
      }).then((refusal) => refusal.text());
    expect(await registering("kasa.shop.example")).not.toContain("no name of this machine");
    expect(await registering("evil.example")).toContain("no name of this machine");
    await rejection(fetch(`${secure}/health`));
    const shown = /[0-9A-F]{2}(:[0-9A-F]{2}){31}/.exec(page)?.[0];
    const { owner } = await registerShop(plain);
    const network = await owner.expect<Network>("GET", "/network");
    const qr = expect.stringMatching(/^<svg .*<path d="M.*<\/svg>$/);
    const here = { host: "127.0.0.1", kind: "address", qr } as const;
    expect(network).toMatchObject({
      // No service manager has started it.
      settings: { isService: false, restart: null },
      addresses: [
        { ...here, url: `${secure}/`, secure: true },
        { ...here, url: `${plain}/`, secure: false },
      ],
      ...{ onlyHere: true, mdnsName: null },
      http: { port: Number(new URL(plain).port), redirect: "all", behindProxy: false },
      https: { status: "ok", source: "own", authority: { fingerprint: shown } },
    });
    expect(network.https?.certificate?.names).toContain("kasa.shop.example");
    expect(network.https?.certificate?.fingerprint).toBe(await shownBy(secure, ca));
    const der = await (await fetch(`${secure}/ca.crt`, { tls: { ca } })).arrayBuffer();
    const told = Bun.spawn([box.program, "tls", "--state-dir", box.stateDir], {
      env: { FISCALD_HTTPS_CERTIFICATE: "own" },
    });
    expect(await new Response(told.stdout).text()).toContain(shown ?? "none");
    const digest = new Bun.CryptoHasher("sha256").update(der).digest("hex").toUpperCase();
    expect(shown?.replaceAll(":", "")).toBe(digest);
    expect(await gateway.stop()).toBe(0);
    expect(gateway.output()).not.toContain("PRIVATE KEY");

    const other = await serve();
    const url = textOf(await other.line("listening"), "url");
    expect((await fetch(`${url}/ca.pem`)).status).toBe(404);
    expect(other.output()).not.toContain("with TLS");
  });

  test("takes a changed certificate file over, and no request or WebSocket is dropped", async () => {
    const validity = { notBefore: Date.now() - 1_000, notAfter: Date.now() + 86_400_000 };
    const authority = await createAuthority({ name: "Shop", domains: ["localhost"], validity });
    const ca = authority.certificate;
    const names = { domains: ["localhost"], addresses: ["127.0.0.1"], validity };
    const file = join(box.folder, "tls.pem");
    const put = ({ key, certificate }: KeyAndCertificate) => {
      writeFileSync(`${file}.new`, key + certificate);
      renameSync(`${file}.new`, file);
    };
    put(await issueCertificate(authority, names));
    const gateway = await serve("--https-certificate=files", `--https-cert-file=${file}`);
    const secure = textOf(await gateway.line("listening with TLS"), "url");
    const first = await shownBy(secure, ca);
    const shop = await registerShop(textOf(await gateway.line("listening"), "url"));
    const { ticket } = await shop.owner.expect<{ ticket: string }>("POST", "/events/ticket");
    const heard: string[] = [];
    const socket = new WebSocket(
      `${secure.replace("https", "wss")}/api/v1/events?ticket=${ticket}`,
      {
        tls: { ca },
      } as unknown as string,
    );
    socket.onmessage = ({ data }) => void heard.push(String(data));
    let isOver = false;
    socket.onclose = () => {
      isOver = true;
    };
    await until("the socket", () => socket.readyState === WebSocket.OPEN || undefined);
    const device = await shop.owner.expect<{ id: string }>("POST", "/devices", {
      ...{ name: "P", driver: "vendorA.isl", transport: "bluetooth", locationId: "shop" },
      ...{ connectionParams: { address: "AA:BB:CC:DD:EE:FF" }, managedBy: "remote" },
    });
    const command = await shop.till.submit(device.id, "get_status");
    const waiting = fetch(`${secure}/api/v1/commands/${command.id}?wait=60`, {
      headers: { authorization: `Bearer ${shop.key}` },
      tls: { ca },
    });

    const healthy = async (headers: Record<string, string> = {}) => {
      const answer = await fetch(`${secure}/health`, { headers, tls: { ca } });
      const { checks } = (await answer.json()) as { checks: { https: Check } };
      return checks.https;
    };
    writeFileSync(join(box.folder, "hole"), "");
    truncateSync(join(box.folder, "hole"), HOLE_BYTES);
    for (const [endless, reason] of ENDLESS) {
      rmSync(file);
      symlinkSync(endless, file);
      process.kill(gateway.pid, "SIGHUP");
      // It would be gone at the next start: that is somebody's to know before.
      const told = await until(`word of ${endless}`, async () => {
        const check = await healthy();
        return check.detail?.includes(reason) || isOutOfMemory(check) ? check : undefined;
      });
      expect(told).toMatchObject({ status: "degraded", detail: expect.stringContaining(reason) });
      expect(await shownBy(secure, ca)).toBe(first);
    }
    // Which file it is, others than the machine itself are told with a login alone.
    const fromElsewhere = { "x-forwarded-for": "192.0.2.1" };
    expect(JSON.stringify(await healthy(fromElsewhere))).toContain("a fault with the certificate");
    expect(JSON.stringify(await healthy(fromElsewhere))).not.toContain("/");
    await gateway.line("the certificate files cannot be used: the certificate stays as it was");
    const second = await issueCertificate(authority, names);
    put(second);
    process.kill(gateway.pid, "SIGHUP");
    await until("the new certificate", async () =>
      (await shownBy(secure, ca)) === first ? undefined : true,
    );
    expect(await healthy()).toMatchObject({ status: "ok" });
    expect(await chainLength(secure)).toBe(1);
    put({ ...second, certificate: second.certificate + authority.certificate });
    process.kill(gateway.pid, "SIGHUP");
    await until("the chain behind the same certificate", async () =>
      (await chainLength(secure)) === 2 ? true : undefined,
    );

    await new ApiClient(textOf(await gateway.line("listening"), "url"), shop.key).call(
      "DELETE",
      `/commands/${command.id}`,
    );
    expect(((await (await waiting).json()) as { command: { status: string } }).command.status).toBe(
      "failed",
    );
    await until("the event", () => heard.some((text) => text.includes(command.id)) || undefined);
    expect(isOver).toBe(false);
    expect(await gateway.stop()).toBe(0);
  });

  test("opens one port where its address cannot be noted, and notes it once that is possible", async () => {
    const file = join(box.folder, "till.pem");
    const gateway = await serve("--https-certificate=files", `--https-cert-file=${file}`);
    const url = textOf(await gateway.line("listening"), "url");
    await gateway.line("HTTPS lacks a certificate");
    const noted = join(box.stateDir, "fiscald.url.https");
    mkdirSync(noted);
    const validity = { notBefore: Date.now() - 1_000, notAfter: Date.now() + 864e5 };
    const authority = await createAuthority({ name: "Shop", domains: [], validity });
    const names = { domains: ["till"], addresses: ["127.0.0.1"], validity };
    const pair = await issueCertificate(authority, names);
    writeFileSync(file, pair.key + pair.certificate);
    process.kill(gateway.pid, "SIGHUP");
    const secure = textOf(await gateway.line("listening with TLS"), "url");
    await gateway.line("commands at the box cannot be told where HTTPS is");
    expect(await shownBy(secure, authority.certificate)).not.toBe("");
    const { checks } = (await (await fetch(`${url}/health`)).json()) as {
      checks: Record<string, unknown>;
    };
    expect(checks.https).toEqual({ status: "ok" });

    rmSync(noted, { recursive: true });
    process.kill(gateway.pid, "SIGHUP");
    await until("the note", () => existsSync(noted) || undefined);
    expect(readFileSync(noted, "utf8")).toBe(`${secure}\n`);
    expect(gateway.output().match(/listening with TLS/g)).toHaveLength(1);
    expect(await gateway.stop()).toBe(0);
  });
});
