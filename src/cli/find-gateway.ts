/** `fiscald controller --find`: the gateways that announce themselves in this network. */

import { systemClock } from "../platform/clock.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { printLine, printTable } from "./output.ts";

const WAIT_MS = 3_000;

async function find() {
  const { findGateways } = await import("../lan/finder.ts");
  const found = await findGateways({ clock: systemClock, waitMs: WAIT_MS });
  if (found.length > 0) return found;
  const message =
    "no gateway answers in this network: is mdns.name set there, and is it the same network?";
  throw new CliFailure(EXIT.state, message);
}

/** Prints them with the words that connect to each. @throws CliFailure with code 3 for none */
export async function showGateways(): Promise<void> {
  const rows = (await find()).flatMap(({ host, addresses, httpPort, httpsPort, version }) =>
    addresses.map((address) => {
      const url = httpsPort ? `https://${address}:${httpsPort}` : `http://${address}:${httpPort}`;
      return [host, version ?? "", `--url ${url}`];
    }),
  );
  printTable([["NAME", "VERSION", "CONNECT WITH"], ...rows]);
  printLine("");
  printLine("Anybody in this network can announce a gateway. Over https, --ca checks which it is:");
  printLine("take the file from the gateway itself, where fiscald tls --ca prints it.");
}

/**
 * The only gateway that answers over HTTPS.
 * @throws CliFailure with code 3 when there is none, and with code 2 when there are more
 */
export async function findGateway(): Promise<URL> {
  const found = (await find()).filter(({ httpsPort }) => httpsPort !== undefined);
  const [only, ...more] = found;
  const [address] = only?.addresses ?? [];
  if (only === undefined || address === undefined) {
    throw new CliFailure(EXIT.state, "no gateway answers over HTTPS in this network");
  }
  if (more.length > 0) {
    const hosts = found.map(({ host }) => host).join(", ");
    throw new CliFailure(EXIT.usage, `several gateways answer, name one with --url: ${hosts}`);
  }
  return new URL(`https://${address}:${only.httpsPort}`);
}
