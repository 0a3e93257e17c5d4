/** A certificate by ACME, from Pebble: over HTTP, by a record of the zone, and when nothing answers. */

import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { boxForEachTest } from "./harness/box-for-each-test.ts";
import { hasPrograms } from "./harness/other-runtime.ts";
import { type OwnProcess, startOwnProcess, textOf } from "./harness/own-process.ts";
import { freePorts, PEBBLE_PROGRAMS, startPebble } from "./harness/pebble.ts";
import { runToEnd } from "./harness/run-to-end.ts";
import { until } from "./harness/until.ts";

const NAME = "till.shop.example";
const isTried = hasPrograms("certificates by ACME", PEBBLE_PROGRAMS);

const box = boxForEachTest();

const settingsOf = (directory: string, caFile: string, ...further: readonly string[]) => [
  ...["--https-certificate=acme", `--https-names=${NAME}`, `--acme-directory=${directory}`],
  ...[`--acme-ca-file=${caFile}`, "--acme-accept-terms=true", ...further],
];

async function serve(settings: readonly string[]): Promise<OwnProcess> {
  return box.keep(
    startOwnProcess([
      ...[box.program, "serve", "--state-dir", box.stateDir, "--http-listen=127.0.0.1:0"],
      ...["--https-listen=127.0.0.1:0", "--http-drain-seconds=0", ...settings],
    ]),
  );
}

/** What the check of HTTPS says in `/health`. */
async function httpsHealth(plain: string): Promise<{ status: string; detail?: string }> {
  const health = (await (await fetch(`${plain}/health`)).json()) as {
    checks: { https: { status: string; detail?: string } };
  };
  return health.checks.https;
}

/** Whoever trusts that root connects, and is shown this certificate. */
function shownBy(url: string, ca: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const { port } = new URL(url);
  const socket = connect({ host: "127.0.0.1", port: Number(port), ca, servername: NAME });
  socket.on("error", reject);
  socket.on("secureConnect", () => {
    resolve(socket.getPeerCertificate().fingerprint256 ?? "");
    socket.destroy();
  });
  return promise;
}

const tls = async (settings: readonly string[]) =>
  runToEnd([box.program, "tls", "--state-dir", box.stateDir, ...settings], { env: {} });

describe.if(isTried)("a certificate by ACME", () => {
  test("is obtained over HTTP once the authority answers, kept, and not asked for again", async () => {
    const ports = freePorts(4);
    const caFile = join(box.folder, "directory-ca.pem");
    writeFileSync(caFile, "");
    const settings = settingsOf(`https://localhost:${ports[0]}/dir`, caFile);
    const gateway = await serve(settings);
    const plain = textOf(await gateway.line("listening"), "url");
    // Nobody answers yet: the gateway works all the same, and says what is wrong.
    const failed = await gateway.line("no certificate was obtained");
    expect(failed.reason).toContain("cannot be reached");
    await until("the check", async () => (await httpsHealth(plain)).detail?.includes("reached"));
    expect((await httpsHealth(plain)).status).toBe("failed");
    expect((await tls(settings)).err).toContain("cannot be reached");
    expect((await fetch(`${plain}/.well-known/acme-challenge/x`)).status).toBe(404);

    const pebble = await startPebble(box, ports, Number(new URL(plain).port));
    // A try at once, instead of in five minutes.
    process.kill(gateway.pid, "SIGHUP");
    const obtained = await gateway.line("certificate obtained");
    const secure = textOf(await gateway.line("listening with TLS"), "url");
    const root = await pebble.root();
    expect(await shownBy(secure, root)).toBe(textOf(obtained, "fingerprint"));
    expect(await httpsHealth(plain)).toEqual({ status: "ok" });
    const shown = await tls(settings);
    expect(shown.out).toContain(`of the authority at localhost:${ports[0]}`);
    expect(shown.out).toContain(textOf(obtained, "fingerprint"));

    const folder = join(box.stateDir, "tls");
    expect(readdirSync(folder).sort()).toEqual(["acme-account.pem", "acme.json", "acme.pem"]);
    for (const name of readdirSync(folder)) {
      expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600]);
    }
    expect(await gateway.stop()).toBe(0);
    expect(gateway.output()).not.toContain("PRIVATE KEY");

    const again = await serve(settings);
    const url = textOf(await again.line("listening with TLS"), "url");
    expect(await shownBy(url, root)).toBe(textOf(obtained, "fingerprint"));
    expect(again.output()).not.toContain("certificate obtained");
  });

  test("is obtained by a record that a command puts into the zone", async () => {
    const ports = freePorts(4);
    // Nothing listens where the authority would look over HTTP: this machine is behind a router.
    const pebble = await startPebble(box, ports, 1);
    const hook = join(box.folder, "hook.ts");
    writeFileSync(
      hook,
      `import { appendFileSync } from "node:fs";
      const [action, host, value] = process.argv.slice(2);
      appendFileSync(${JSON.stringify(join(box.folder, "calls"))}, action + " " + host + "\\n");
      const path = action === "add" ? "/set-txt" : "/clear-txt";
      const body = JSON.stringify({ host: host + ".", value });
      await fetch(${JSON.stringify(pebble.names)} + path, { method: "POST", body });`,
    );
    const command = `exec "${process.execPath}" "${hook}" "$1" "$2" "$3"`;
    const gateway = await serve(
      settingsOf(
        ...([pebble.directory, pebble.caFile] as const),
        ...[
          `--acme-dns-command=${command}`,
          "--acme-dns-seconds=0",
          "--acme-contact=it@shop.example",
        ],
      ),
    );
    const obtained = await gateway.line("certificate obtained");
    const secure = textOf(await gateway.line("listening with TLS"), "url");
    expect(await shownBy(secure, await pebble.root())).toBe(textOf(obtained, "fingerprint"));
    expect(readFileSync(join(box.folder, "calls"), "utf8")).toBe(
      `add _acme-challenge.${NAME}\nremove _acme-challenge.${NAME}\n`,
    );
  });

  test("is not asked for before somebody has accepted the terms; a refusal is told in words", async () => {
    const ports = freePorts(4);
    const pebble = await startPebble(box, ports, 1);
    const settings = settingsOf(pebble.directory, pebble.caFile);
    const unread = await serve([...settings, "--acme-accept-terms=false"]);
    expect((await unread.line("no certificate was obtained")).reason).toContain("acceptTerms");
    expect(await unread.stop()).toBe(0);
    // Other settings: tried at once. The authority finds nothing at port 1.
    const refused = await serve(settings);
    expect((await refused.line("no certificate was obtained")).reason).toContain(
      `the authority does not find ${NAME} here by http-01`,
    );
    expect(await refused.stop()).toBe(0);
    // The same settings: a restart does not ask an authority that has just refused.
    const waiting = await serve(settings);
    const plain = textOf(await waiting.line("listening"), "url");
    await until("the check", async () => (await httpsHealth(plain)).detail?.includes("http-01"));
    expect(waiting.output()).not.toContain("no certificate was obtained");
  });
});
