/** The webhook of a simulated day: its receiver is a real HTTPS server in the same process. */

import { Database } from "bun:sqlite";
import type { SimulatedTime } from "#drivers/testing/simulated-time.ts";
import type { SettingKey } from "#src/config.ts";
import { makeCertificate, startEndpoint } from "#src/webhooks/testing/https-endpoint.ts";

/** The receiver. */
export interface DayWebhook {
  /** What lets the gateway deliver to it. */
  readonly settings: Readonly<Partial<Record<SettingKey, string>>>;
  readonly url: string;
  /** Deliveries that have arrived. */
  delivered(): number;
  /** Lets time stand still from now on while a delivery is under way. */
  holdTime(database: string): void;
  stop(): Promise<void>;
}

/** Starts the receiver, which answers 204 to everything. */
export async function dayWebhook(time: SimulatedTime): Promise<DayWebhook> {
  const certificate = makeCertificate();
  let delivered = 0;
  let lastEvent: string | undefined;
  const endpoint = await startEndpoint(certificate, (response, { body }) => {
    const { id }: { id: string } = JSON.parse(body);
    lastEvent = id;
    delivered += 1;
    // A day's bodies would count as the gateway's memory.
    endpoint.received.length = 0;
    response.writeHead(204).end();
  });
  return {
    settings: { "webhooks.allowLoopback": "true", "webhooks.caFile": certificate.caFile },
    url: `https://127.0.0.1:${endpoint.port}/day`,
    delivered: () => delivered,
    holdTime(database) {
      const first = new Database(database, { readonly: true }).query<{ id: string }, [number]>(
        "SELECT json_extract(payload, '$.id') AS id FROM webhook_deliveries " +
          "WHERE due_at <= ? ORDER BY due_at, seq LIMIT 1",
      );
      time.watch({
        get bytes() {
          return delivered + endpoint.connections();
        },
        // One that has arrived and is still due is about to be written as made. The gateway does
        // that after a delay on this clock, so time has to go on for it.
        get isQuiet() {
          const due = first.get(time.now());
          return endpoint.openConnections() === 0 && (due === null || due.id === lastEvent);
        },
        describe: () => `${delivered} deliveries, ${endpoint.openConnections()} connections`,
      });
    },
    async stop() {
      await endpoint.stop();
      certificate.remove();
    },
  };
}
