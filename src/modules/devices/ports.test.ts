import { afterEach, expect, test } from "bun:test";
import { type ApiBench, createApiBench } from "../testing/api-bench.ts";

const PORTS = "/api/v1/devices/ports";
const USB_PORT = {
  path: "/dev/ttyUSB0",
  byId: "/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A50285BI-if00-port0",
  vendorId: "0403",
  productId: "6001",
  serialNumber: "A50285BI",
  manufacturer: "FTDI",
  product: "FT232R USB UART",
  location: "1-1",
};
const BUILT_IN_PORT = {
  path: "/dev/ttyS0",
  byId: null,
  vendorId: null,
  productId: null,
  serialNumber: null,
  manufacturer: null,
  product: null,
  location: null,
};

let bench: ApiBench;
afterEach(() => bench.close());

test("GET /devices/ports lists the serial ports of the appliance", async () => {
  bench = createApiBench({ ports: [BUILT_IN_PORT, USB_PORT] });
  const { client } = await bench.owner();
  const answer = await client.get(PORTS);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ ports: [BUILT_IN_PORT, USB_PORT] });
});

test("GET /devices/ports is not for strangers", async () => {
  bench = createApiBench();
  expect((await bench.client.get(PORTS)).status).toBe(401);
});
