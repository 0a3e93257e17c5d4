/** The executable delivers to a real HTTPS server, and to no place that it must not reach. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import {
  type Certificate,
  ENDPOINT_NAME,
  makeCertificate,
  startEndpoint,
} from "../webhooks/testing/https-endpoint.ts";
import { SALE } from "./crash/documents.ts";
import { Box } from "./harness/box.ts";
import { ApiClient, registerDevice, registerShop, startGateway } from "./harness/gateway.ts";
import { startPrinter } from "./harness/simulator.ts";
import { until } from "./harness/until.ts";

let certificate: Certificate;
beforeAll(() => {
  certificate = makeCertificate();
});
afterAll(() => certificate.remove());

interface Delivery {
  readonly status: string;
  readonly httpStatus: number | null;
  readonly error: string | null;
  readonly payload: { readonly data: { readonly command?: { readonly id: string } } };
}

/** Subscribes and tries. @returns what came of it */
async function tried(owner: ApiClient, url: string): Promise<Delivery> {
  const { webhook } = await owner.expect<{ webhook: { id: string } }>("POST", "/org/webhooks", {
    ...{ url, events: ["command.completed"] },
  });
  const path = `/org/webhooks/${webhook.id}/test`;
  return (await owner.expect<{ delivery: Delivery }>("POST", path)).delivery;
}

test("reaches what its settings allow, and nothing else", async () => {
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
});

test("goes on with what a kill broke off", async () => {
  const box = new Box();
  let isOpen = false;
  const endpoint = await startEndpoint(certificate, (response) => {
    if (isOpen) response.writeHead(204).end();
  });
  try {
    const args = ["--webhooks-allow-loopback=true", `--webhooks-ca-file=${certificate.caFile}`];
    const first = box.keep(await startGateway(box.stateDir, { args }));
    const { till, owner } = await registerShop(first.url);
    const printer = box.keep(await startPrinter({ stateFile: `${box.folder}/printer.json` }));
    const deviceId = await registerDevice(till, printer);
    type Created = { webhook: { id: string; secret: string } };
    const { webhook } = await owner.expect<Created>("POST", "/org/webhooks", {
      url: `https://127.0.0.1:${endpoint.port}/in`,
      events: ["command.completed"],
    });
    const { id } = await till.submit(deviceId, SALE.type, SALE.payload);
    // Around its starts the gateway asks the printer something of its own, which is told as well.
    const told = () =>
      endpoint.received.filter(({ body }) => JSON.parse(body).data.command?.id === id);
    await until("the first attempt", () => told().length === 1);
    await first.kill();
    isOpen = true;

    const second = box.keep(await startGateway(box.stateDir, { args }));
    await until("the attempt after the kill", () => told().length === 2);
    const again = new ApiClient(second.url, owner.credential);
    const deliveries = await until("the end of the delivery", async () => {
      const path = `/org/webhooks/${webhook.id}/deliveries`;
      const { deliveries } = await again.expect<{ deliveries: Delivery[] }>("GET", path);
      const ofSale = deliveries.filter(({ payload }) => payload.data.command?.id === id);
      return ofSale.some(({ status }) => status === "success") && ofSale;
    });
    expect(deliveries).toMatchObject([{ status: "success", httpStatus: 204 }]);
    const [broken, whole] = told();
    expect(JSON.parse(whole?.body ?? "")).toMatchObject({
      type: "command.completed",
      data: { command: { id, status: "completed" } },
    });
    // By these a receiver knows that it had it already.
    expect(whole?.body).toBe(broken?.body);
    expect(whole?.headers["webhook-id"]).toBe(broken?.headers["webhook-id"]);
    for (const { body, headers } of endpoint.received) {
      expect(new Webhook(webhook.secret).verify(body, { ...headers })).toEqual(JSON.parse(body));
    }
  } finally {
    await box.clear();
    await endpoint.stop();
  }
});
