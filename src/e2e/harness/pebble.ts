/** Pebble, the test authority of Let's Encrypt, and the name server that it asks. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createAuthority, issueCertificate } from "../../tls/authority.ts";
import type { Box } from "./box.ts";
import { startOwnProcess } from "./own-process.ts";
import { until } from "./until.ts";

export const PEBBLE_PROGRAMS = ["pebble", "pebble-challtestsrv"] as const;

/** A running authority. */
export interface Pebble {
  readonly directory: string;
  /** File with the authority that the directory's own certificate is from. */
  readonly caFile: string;
  /** Where TXT records are set, as JSON. */
  readonly names: string;
  /** The root that its certificates lead to, as PEM. */
  root(): Promise<string>;
}

/** Ports that nobody listened on a moment ago. */
export function freePorts(count: number): number[] {
  const listeners = Array.from({ length: count }, () =>
    Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } }),
  );
  const ports = listeners.map(({ port }) => port);
  for (const listener of listeners) listener.stop(true);
  return ports;
}

/**
 * Starts it. It refuses one nonce in seven, as an authority may any.
 * @param ports its own three, and the fourth of its names
 * @param httpPort where it looks for answers, in place of port 80
 */
export async function startPebble(
  box: Pick<Box, "folder" | "keep">,
  ports: readonly number[],
  httpPort: number,
): Promise<Pebble> {
  const [port = 0, management = 0, dns = 0, names = 0] = ports;
  const validity = { notBefore: Date.now() - 60_000, notAfter: Date.now() + 86_400_000 };
  const authority = await createAuthority({ name: "Directory", domains: ["localhost"], validity });
  const own = await issueCertificate(authority, {
    ...{ domains: ["localhost"], addresses: ["127.0.0.1"], validity },
  });
  const file = (name: string, text: string): string => {
    const path = join(box.folder, name);
    writeFileSync(path, text);
    return path;
  };
  const caFile = file("directory-ca.pem", authority.certificate);
  const config = file(
    "pebble.json",
    JSON.stringify({
      pebble: {
        listenAddress: `127.0.0.1:${port}`,
        managementListenAddress: `127.0.0.1:${management}`,
        certificate: file("directory.pem", own.certificate),
        privateKey: file("directory.key", own.key),
        httpPort,
        tlsPort: 1,
      },
    }),
  );
  box.keep(
    startOwnProcess(
      [
        ...["/usr/bin/env", "pebble-challtestsrv", "-dns01", `127.0.0.1:${dns}`],
        ...["-management", `127.0.0.1:${names}`, "-defaultIPv4", "127.0.0.1"],
        ...["-defaultIPv6", "", "-http01", "", "-https01", "", "-tlsalpn01", ""],
      ],
      { PATH: process.env.PATH ?? "" },
    ),
  );
  box.keep(
    startOwnProcess(
      ["/usr/bin/env", "pebble", "-config", config, "-strict", "-dnsserver", `127.0.0.1:${dns}`],
      { PATH: process.env.PATH ?? "", PEBBLE_VA_NOSLEEP: "1", PEBBLE_WFE_NONCEREJECT: "15" },
    ),
  );
  const ca = authority.certificate;
  const directory = `https://localhost:${port}/dir`;
  const answers = (url: string) =>
    fetch(url, { tls: { ca } }).then(
      () => true,
      () => undefined,
    );
  await until("the authority", () => answers(directory));
  await until("the name server", () => answers(`http://127.0.0.1:${names}/`));
  return {
    ...{ directory, caFile, names: `http://127.0.0.1:${names}` },
    root: async () =>
      (await fetch(`https://localhost:${management}/roots/0`, { tls: { ca } })).text(),
  };
}
