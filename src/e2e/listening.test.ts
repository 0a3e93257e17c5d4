/** What the running executable listens on: what the settings say, and nothing else. */

import { expect, test } from "bun:test";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { boxForEachTest } from "./harness/box-for-each-test.ts";
import { registerShop } from "./harness/gateway.ts";
import { startOwnProcess, textOf } from "./harness/own-process.ts";
import { until } from "./harness/until.ts";

const box = boxForEachTest();

/** Of TCP: waits for connections. Of UDP: takes whatever comes. */
const OPEN_STATES = { tcp: "0A", tcp6: "0A", udp: "07", udp6: "07" } as const;

/** Inodes of the sockets that a process and those it started have. */
function socketsOf(pid: number): Set<string> {
  const of = readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
    } catch {
      // It was closed meanwhile.
      return [];
    }
  });
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(/\s+/);
  const further = children.filter(Boolean).flatMap((child) => [...socketsOf(Number(child))]);
  return new Set([...of, ...further]);
}

/** `tcp 127.0.0.1:8080`, of IPv4; of IPv6 with the address as the kernel has it. */
function listening(pid: number): string[] {
  const own = socketsOf(pid);
  return Object.entries(OPEN_STATES)
    .flatMap(([protocol, open]) =>
      readFileSync(`/proc/net/${protocol}`, "utf8")
        .split("\n")
        .slice(1)
        .map((line) => line.trim().split(/\s+/))
        .filter(([, , , state, ...rest]) => state === open && own.has(rest[5] ?? ""))
        .map(([, local = ""]) => `${protocol} ${addressOf(local)}`),
    )
    .sort();
}

function addressOf(local: string): string {
  const [address = "", port = ""] = local.split(":");
  const bytes = address.length === 8 ? address.match(/../g)?.reverse() : undefined;
  const shown = bytes?.map((byte) => Number.parseInt(byte, 16)).join(".") ?? address;
  return `${shown}:${Number.parseInt(port, 16)}`;
}

const portOf = (line: Readonly<Record<string, unknown>>): string =>
  new URL(textOf(line, "url")).port;

async function serve(...settings: readonly string[]) {
  return box.keep(
    startOwnProcess([
      ...[box.program, "serve", "--state-dir", box.stateDir, "--http-listen=127.0.0.1:0"],
      ...["--http-drain-seconds=0", ...settings],
    ]),
  );
}

test("plain HTTP alone, also with simulated printers and a webhook", async () => {
  const gateway = await serve();
  const line = await gateway.line("listening");
  const { owner } = await registerShop(textOf(line, "url"));
  for (const driver of ["vendorA.isl", "vendorE.zfp"]) {
    await owner.expect("POST", "/devices/simulated", { name: driver, driver, locationId: "shop" });
  }
  await owner.expect("POST", "/org/webhooks", {
    ...{ url: "https://hooks.example/", events: ["command.completed"] },
  });
  await until("the printers", async () => {
    const devices = await owner.expect<{ effectiveStatus: string }[]>("GET", "/devices");
    return devices.every(({ effectiveStatus }) => effectiveStatus === "online") || undefined;
  });
  expect(listening(gateway.pid)).toEqual([`tcp 127.0.0.1:${portOf(line)}`]);
});

test("HTTPS and the name in the network where they are on, each where it was told to", async () => {
  const gateway = await serve(
    ...["--https-certificate=own", "--https-listen=127.0.0.1:0", "--mdns-name=fiscald-test"],
  );
  const plain = portOf(await gateway.line("listening"));
  const secure = portOf(await gateway.line("listening with TLS"));
  const found = await until("mDNS", () => {
    const open = listening(gateway.pid);
    return open.some((one) => one.startsWith("udp")) ? open : undefined;
  });
  expect(found.filter((one) => one.startsWith("tcp"))).toEqual(
    [`tcp 127.0.0.1:${plain}`, `tcp 127.0.0.1:${secure}`].sort(),
  );
  for (const one of found.filter((open) => open.startsWith("udp"))) expect(one).toEndWith(":5353");
});
