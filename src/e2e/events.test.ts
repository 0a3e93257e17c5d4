/** Whoever listens hears everything once, though the gateway is killed and comes back. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { openSocket, openStream, type TestListener } from "../modules/events/testing/listeners.ts";
import { Box } from "./harness/box.ts";
import { ApiClient, registerDevice, registerShop, startGateway } from "./harness/gateway.ts";
import { startPrinter } from "./harness/simulator.ts";

const SALES = 5;
const SALE = {
  uniqueSaleNumber: "DT000600-0001-0000001",
  items: [{ name: "Bread", price: 2.5, quantity: 1, vatGroup: "VAT2" }],
  payments: [{ method: "cash", amount: 2.5 }],
};

let box: Box;
beforeAll(() => {
  box = new Box();
});
afterAll(() => box.clear());

const completed = ({ events }: TestListener) =>
  events.flatMap(({ type, data }) => (type === "command.completed" ? [idOf(data)] : []));
const comings = ({ events }: TestListener) =>
  events.map(({ type }) => type).filter((type) => /^device\.(on|off)line$/.test(type));
const idOf = (data: object) => (data as { command: { id: string } }).command.id;

test("after a kill both ways of listening go on where they were", async () => {
  const printer = box.keep(await startPrinter({ stateFile: `${box.folder}/printer.json` }));
  const stateDir = `${box.folder}/state`;
  const first = box.keep(await startGateway(stateDir));
  const shop = await registerShop(first.url);
  const deviceId = await registerDevice(shop.till, printer);
  const headers = { "x-api-key": shop.key };
  const listeners = [openSocket(first.url, "", headers), openStream(first.url, "", headers)];
  await Promise.all(listeners.map(({ opened }) => opened));
  const sell = async (till: ApiClient) => {
    const { id } = await till.submit(deviceId, "print_receipt", SALE);
    expect(await till.wait(id)).toMatchObject({ status: "completed" });
    return id;
  };
  const before = await sell(shop.till);
  const heard = await Promise.all(
    listeners.map((one) => one.until((events) => events.some(({ data }) => isOf(data, before)))),
  );
  const since = heard[0]?.at(-1)?.id ?? "";
  const queued = await shop.till.submit(deviceId, "print_receipt", SALE);
  await first.kill();
  await Promise.all(listeners.map(({ ended }) => ended));

  const second = box.keep(await startGateway(stateDir));
  const till = new ApiClient(second.url, shop.key);
  // The kill may have come before its first line, or after its end.
  const { status } = await till.wait(queued.id);
  const sold = status === "completed" ? [queued.id] : [];
  for (let nth = 0; nth < SALES; nth += 1) sold.push(await sell(till));
  const again = [
    openSocket(second.url, `?since=${since}`, headers),
    openStream(second.url, "", { ...headers, "last-event-id": since }),
  ];
  const last = sold.at(-1);
  const asked = (await till.list("&type=get_last_receipt_info")).map(({ id }) => id);
  for (const listener of again) {
    await listener.until(() => completed(listener).at(-1) === last);
    // Beside ours there is what the second gateway asked the printer at its start.
    const ours = completed(listener).filter((id) => id !== before && !asked.includes(id));
    expect(ours).toEqual(sold);
    // The first gateway had no time to say that the device went with it.
    expect(comings(listener)).toEqual(["device.offline", "device.online"]);
    listener.hangUp();
  }
});

function isOf(data: object, commandId: string): boolean {
  const { command } = data as { command?: { id: string; status: string } };
  return command?.id === commandId && command.status === "completed";
}
