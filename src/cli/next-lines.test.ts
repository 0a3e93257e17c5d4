/** What commands tell to do next can be done as it stands there. */

import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { boxForEachTest } from "../e2e/harness/box-for-each-test.ts";
import { registerShop, startGateway } from "../e2e/harness/gateway.ts";
import { startRemoteController } from "../e2e/harness/remote-controller.ts";
import { runToEnd } from "../e2e/harness/run-to-end.ts";
import { until } from "../e2e/harness/until.ts";
import { lineOfUser } from "../platform/user-line.ts";
import { userName } from "../platform/user-name.ts";

const box = boxForEachTest();

const run = (words: string, ...more: readonly string[]) =>
  runToEnd([box.program, ...words.split(" "), ...more, "--state-dir", box.stateDir]);

test("tls names the ports of the gateway that runs, for HTTPS and for the authority", async () => {
  const own = ["--https-certificate", "own"];
  const gateway = await startGateway(box.stateDir, {
    args: [...own, "--https-listen", "127.0.0.1:0", "--http-listen", "127.0.0.1:0"],
  });
  box.keep(gateway);
  await until("the certificate", () => gateway.output().includes("listening with TLS"));
  const { out, code } = await run("tls", ...own);
  expect(code).toBe(0);
  const [, told = ""] = /get the authority at (http:.+\/ca),/.exec(out) ?? [];
  const authority = await fetch(told.replace("<this machine>", "127.0.0.1"));
  expect(authority.status).toBe(200);
  const [, port] = /HTTPS is at port (\d+)\./.exec(out) ?? [];
  expect(gateway.output()).toContain(`"url":"https://127.0.0.1:${port}"`);
  // Given by a flag alone it is on all the same.
  const unnamed = await run("tls");
  expect([unnamed.code, unnamed.err]).toEqual([
    2,
    expect.stringMatching(
      /the gateway that runs has HTTPS, by a flag .* tls --https-certificate own/,
    ),
  ]);
  expect(await gateway.stop()).toBe(0);
  expect((await run("tls", ...own)).out).toContain("HTTPS is at port 8443.");
  expect((await run("tls")).err).toContain("HTTPS is off");
});

test("the journal has lines that another user than the service's can type", async () => {
  await startGateway(box.stateDir).then((gateway) => gateway.stop());
  writeFileSync(join(box.stateDir, "fiscald.db"), "spoilt");
  const serve = [box.program, "serve", "--state-dir", box.stateDir];
  const script = 'export JOURNAL_STREAM="$(stat -L -c %d:%i /proc/self/fd/2)"; exec "$@"';
  const { code, err } = await runToEnd(["sh", "-c", script, "sh", ...serve]);
  const line = lineOfUser(userName(), ["fiscald", "repair", "--state-dir", box.stateDir]);
  expect([code, err]).toEqual([3, expect.stringContaining(line.split(" fiscald ")[0] ?? "")]);
  expect((await runToEnd(serve)).err).not.toContain("sudo");
});

test("a new printer is being asked, and neither down nor anything for a person, until it has failed", async () => {
  const gateway = box.keep(await startGateway(box.stateDir));
  await registerShop(gateway.url);
  // It takes a connection, and says nothing for as long as a gateway waits.
  const silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
  const where = ["--transport", "tcp", "--host", "127.0.0.1", "--port", String(silent.port)];
  const what = ["--name", "Bar", "--driver", "vendorA.isl", "--location", "shop"];
  expect(await run("device add", ...what, ...where)).toMatchObject({ code: 0 });
  const first = await run("status");
  expect([first.code, first.err]).toEqual([0, ""]);
  expect(first.out).toContain("Bar is being asked for the first time.");
  silent.stop(true);
  const { out } = await until("its failure", async () => {
    const ended = await run("status");
    return ended.code === 1 && ended;
  });
  expect(out).toContain("There is no working line to the device");
  expect(out).not.toContain("being asked");
});

test("doctor sends to the controller of a printer that another machine serves", async () => {
  const gateway = box.keep(await startGateway(box.stateDir));
  const { till, key } = await registerShop(gateway.url);
  const { id } = await till.expect<{ id: string }>("POST", "/devices", {
    ...{ name: "Bar", driver: "vendorA.isl", transport: "tcp", locationId: "shop" },
    ...{ managedBy: "remote", connectionParams: { host: "10.9.9.9", port: 9100 } },
  });
  const controller = await startRemoteController({
    ...{ line: gateway, key, controllerId: "bar-pi", stateDir: join(box.folder, "controller") },
    args: [`--device=${id}`],
  });
  const controllerOf = async () =>
    (await till.expect<{ controllerId: string | null }>("GET", `/devices/${id}`)).controllerId;
  await until("its controller", async () => (await controllerOf()) === "bar-pi");
  await controller.kill();
  const doctor = () => run("doctor", "--https-certificate", "off");
  const { out } = await until("the alert", async () => {
    const ended = await doctor();
    return ended.out.includes("ERROR   Printer: Bar") && ended;
  });
  const [, cure = ""] = /Printer: Bar: .*\n +-> (.*)\n/.exec(out) ?? [];
  expect(cure).toContain("it is served by the controller bar-pi: there,");
  expect(cure).toContain("systemctl status fiscald-controller");
  expect(cure).not.toContain("detect");
});

test("a printer is accepted by its name, and what takes no state may be told one", async () => {
  const gateway = box.keep(await startGateway(box.stateDir));
  await registerShop(gateway.url);
  const unknown = await run("device accept Bar");
  expect([unknown.code, unknown.err]).toEqual([
    2,
    expect.stringContaining("there is no device Bar: fiscald device list shows them"),
  ]);
  expect(await run("device ports --json")).toMatchObject({ code: 0, err: "" });
  const log = join(box.folder, "log");
  writeFileSync(log, "kept\n");
  expect(await run("logs --file", log)).toMatchObject({ code: 0, err: "", out: "kept\n" });
});
