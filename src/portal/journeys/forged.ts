/** Answers of the gateway that are not easily brought about, for pictures of what they look like. */

/** Among `doubtful` of `GET /today`. */
export const DOUBTFUL = {
  commandId: "cmd_01M7XBC7BKJTTK1BYJEVYS1RPR",
  deviceId: "dev_01M7XBC7BKJTTK1BYJEVYS1RPR",
  deviceName: "Каса 1",
  type: "print_receipt",
  simulated: false,
  acceptedAt: "2026-01-15T10:00:00.000Z",
  raisedAt: "2026-01-15T10:01:00.000Z",
};

const serial = (address: string, outcome: string) => {
  return { transport: "serial", connectionParams: { address }, outcome, reason: "", probes: 1 };
};
const FOUND = {
  ...{ driver: "vendorA.isl", transport: "serial", model: "FP-700X" },
  connectionParams: { address: "/dev/ttyUSB0" },
  ...{ serialNumber: "DT570009", fiscalMemorySerialNumber: "02570009", firmwareVersion: "1" },
};

/** A search that has found a printer and then breaks off. */
export const BROKEN_OFF = JSON.stringify({ found: FOUND });

/** The last line of a search. */
export const DETECTED = JSON.stringify({
  result: {
    found: [FOUND],
    tried: [
      serial("/dev/ttyUSB1", "in_use"),
      serial("/dev/ttyS0", "unrecognized"),
      serial("/dev/ttyS1", "silent"),
    ],
  },
});

const NOON = "2026-01-15T10:00:00.000Z";

/** `GET /today` of a shop without a printer. */
export const EMPTY_TODAY = {
  at: NOON,
  shop: { name: "Corner Shop", currency: "EUR", timezone: "Europe/Sofia" },
  day: { date: "2026-01-15", from: NOON, to: NOON },
  devices: [],
  doubtful: [],
  sales: null,
};
