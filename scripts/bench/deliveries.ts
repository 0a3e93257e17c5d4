/**
 * Ten thousand deliveries to fifty webhooks, of which ten never answer: how soon the others get
 * theirs, beside a run without those ten.
 */

import { join } from "node:path";
import { registerShop, startGateway } from "../../src/e2e/harness/gateway.ts";
import { until } from "../../src/e2e/harness/until.ts";
import { makeCertificate, startEndpoint } from "../../src/webhooks/testing/https-endpoint.ts";
import { Durations, ms, perSecond, show, title } from "./measure.ts";
import { RawHttp } from "./raw-http.ts";

const ANSWERING = 40;
const HANGING = 10;
const EVENTS = 200;
/** All of them have arrived by then, or something is wrong. */
const ARRIVED_WITHIN_MS = 600_000;

export async function deliveries(folder: string): Promise<void> {
  const all = EVENTS * (ANSWERING + HANGING);
  title(`${all.toLocaleString("en")} deliveries to ${ANSWERING + HANGING} webhooks`);
  const without = await deliver(join(folder, "deliveries-without"), 0);
  showRun(`${ANSWERING} webhooks that answer`, without);
  const beside = await deliver(join(folder, "deliveries-beside"), HANGING);
  const ratio = beside.waits.percentile(0.99) / without.waits.percentile(0.99);
  const text = `${ratio.toFixed(2)} times the p99 without them, aim 1.2`;
  showRun(`the same beside ${HANGING} that never answer`, beside, text);
}

interface Run {
  /** From each event to its arrival at each webhook that answers. */
  readonly waits: Durations;
  readonly perSecond: number;
}

/** Makes events as fast as they come, and waits until all that answer have them. */
async function deliver(state: string, hanging: number): Promise<Run> {
  const certificate = makeCertificate();
  const waits = new Durations();
  const endpoint = await startEndpoint(certificate, (response, { path, body }) => {
    if (path.startsWith("/hang")) return;
    const { createdAt }: { createdAt: string } = JSON.parse(body);
    waits.add(Date.now() - Date.parse(createdAt));
    response.writeHead(204).end();
  });
  const gateway = await startGateway(state, {
    args: [
      ...["--log-level=error", "--webhooks-allow-loopback=true"],
      ...[`--webhooks-ca-file=${certificate.caFile}`, "--commands-push-wait-seconds=86400"],
    ],
  });
  try {
    const { owner, till, key } = await registerShop(gateway.url);
    const paths = [
      ...Array.from({ length: ANSWERING }, (_, index) => `answer-${index}`),
      ...Array.from({ length: hanging }, (_, index) => `hang-${index}`),
    ];
    for (const path of paths) {
      const url = `https://127.0.0.1:${endpoint.port}/${path}`;
      await owner.expect("POST", "/org/webhooks", { url, events: ["command.failed"] });
    }
    const { id } = await till.expect<{ id: string }>("POST", "/devices", {
      ...{ name: "Nobody's", driver: "vendorA.isl", transport: "tcp", locationId: "bench" },
      ...{ managedBy: "remote", connectionParams: { host: "127.0.0.1", port: 9 } },
    });
    const client = await RawHttp.open(gateway.url, key);
    const startedAt = performance.now();
    for (let event = 0; event < EVENTS; event += 1) {
      const body = JSON.stringify({ type: "open_drawer", payload: {} });
      const answer = await client.request("POST", `/api/v1/devices/${id}/commands`, { body });
      const command: { id: string } = JSON.parse(answer.body);
      // One that is taken back has failed.
      const { status } = await client.request("DELETE", `/api/v1/commands/${command.id}`);
      if (status !== 200) throw new Error(`DELETE: ${status}`);
    }
    client.close();
    const due = EVENTS * ANSWERING;
    await until("every delivery", () => waits.count >= due, ARRIVED_WITHIN_MS);
    const seconds = (performance.now() - startedAt) / 1_000;
    return { waits, perSecond: due / seconds };
  } finally {
    await gateway.kill();
    await endpoint.stop();
    certificate.remove();
  }
}

function showRun(what: string, { waits, perSecond: rate }: Run, beside = ""): void {
  const [p50, p99] = [0.5, 0.99].map((share) => ms(waits.percentile(share)));
  show(what, perSecond(rate), [`p50 ${p50}, p99 ${p99}`, beside].filter(Boolean).join("; "));
}
