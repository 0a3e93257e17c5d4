/** The executable delivers to a real HTTPS server, and to no place that it must not reach. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  type Certificate,
  ENDPOINT_NAME,
  makeCertificate,
  startEndpoint,
} from "../webhooks/testing/https-endpoint.ts";
import { Box } from "./harness/box.ts";
import { type ApiClient, registerShop, startGateway } from "./harness/gateway.ts";

const TEST_MS = 60_000;

let certificate: Certificate;
beforeAll(() => {
  certificate = makeCertificate();
});
afterAll(() => certificate.remove());

interface Delivery {
  readonly status: string;
  readonly httpStatus: number | null;
  readonly error: string | null;
}

/** Subscribes and tries. @returns what came of it */
async function tried(owner: ApiClient, url: string): Promise<Delivery> {
  const { webhook } = await owner.expect<{ webhook: { id: string } }>("POST", "/org/webhooks", {
    ...{ url, events: ["command.completed"] },
  });
  const path = `/org/webhooks/${webhook.id}/test`;
  return (await owner.expect<{ delivery: Delivery }>("POST", path)).delivery;
}

test(
  "by its settings",
  async () => {
    const box = new Box();
    const endpoint = await startEndpoint(certificate);
    try {
      const url = `https://127.0.0.1:${endpoint.port}/in`;
      const args = ["--webhooks-allow-loopback=true", `--webhooks-ca-file=${certificate.caFile}`];
      const open = box.keep(await startGateway(`${box.folder}/open`, { args }));
      const { owner } = await registerShop(open.url);
      expect(await tried(owner, url)).toMatchObject({ status: "success", httpStatus: 204 });
      expect(endpoint.received).toMatchObject([{ method: "POST", path: "/in" }]);
      const unknown = await tried(owner, `https://${ENDPOINT_NAME}/in`);
      expect(unknown).toMatchObject({ status: "failed", httpStatus: null });
      const closed = box.keep(await startGateway(`${box.folder}/closed`));
      const shop = await registerShop(closed.url);
      const body = { url, events: ["command.completed"] };
      const refused = await shop.owner.call("POST", "/org/webhooks", { body });
      expect(refused.status).toBe(400);
      expect(endpoint.received).toHaveLength(1);
    } finally {
      await box.clear();
      await endpoint.stop();
    }
  },
  TEST_MS,
);
