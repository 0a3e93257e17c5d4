/** Every driver on lines where no device makes itself known: only a proof is E200. */

import { describe, expect, test } from "bun:test";
import type { Driver } from "#core/driver.ts";
import { FiscalError, isLineFault } from "#core/errors.ts";
import { DRIVERS } from "./registry.ts";
import { FakeEnvironment } from "./testing/fake-environment.ts";
import { memoryLinePair } from "./transport/memory.ts";

/** Every driver has given a line up by then. */
const GIVEN_UP_MS = 120_000;

const DOUBTFUL: readonly (readonly [title: string, answer: Uint8Array | undefined])[] = [
  ["says nothing", undefined],
  ["refuses everything", Uint8Array.of(0x15)],
  ["says that it is busy, for ever", Uint8Array.of(0x16)],
  ["answers with bytes of a wrong speed", Uint8Array.of(0xff, 0x00, 0xfe, 0x80)],
  ["answers with text", Buffer.from("READY\r\n")],
];

async function connect(driver: Driver, answer: Uint8Array | undefined) {
  const [host, other] = memoryLinePair();
  const environment = new FakeEnvironment();
  other.listen({ data: () => answer && other.write(answer), closed() {} });
  const connecting = driver.connect(host, environment).catch((error: unknown) => error);
  await environment.advance(GIVEN_UP_MS);
  return connecting;
}

describe.each([...DRIVERS.values()].map((driver) => [driver.id, driver] as const))(
  "%s, connecting to what",
  (_, driver) => {
    test.each(DOUBTFUL)(
      "%s, tells a fault of the line, which is tried again",
      async (_title, answer) => {
        const told = await connect(driver, answer);
        expect({ told: String(told), isLineFault: isLineFault(told) }).toMatchObject({
          isLineFault: true,
        });
      },
    );

    test.each([
      "HTTP/1.1 400 Bad Request\r\n\r\n",
      "220 ProFTPD Server ready\r\n",
      "220 pure-ftpd\r\n",
      "220 `mail` ESMTP\r\n",
    ])("speaks another protocol, tells so: %j", async (words) => {
      const told = await connect(driver, Buffer.from(words));
      expect(told instanceof FiscalError && told.code).toBe("E200");
    });
  },
);
