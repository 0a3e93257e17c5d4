/** A line to a simulated device within the process, without any socket. */

import type { Line } from "#core/driver.ts";
import type { DevicePort, PortDevice, PortLine } from "../simulator/port/port.ts";
import { memoryLinePair } from "../transport/memory.ts";
import type { DeviceWire } from "./wire.ts";

/**
 * Takes and breaks connections as a port of the network does. What is written is heard before the
 * next turn of the event loop, so that nothing is ever on its way for longer than that.
 */
export class MemoryWire implements DeviceWire {
  readonly bytes = 0;
  readonly isQuiet = true;
  readonly #lines = new Set<PortLine>();
  #device: PortDevice | undefined;
  #isLetIn = true;

  describe(): string {
    return "a line in memory";
  }

  async openPort(device: PortDevice): Promise<DevicePort> {
    this.#device = device;
    const interrupt = () => {
      this.#isLetIn = false;
      for (const line of this.#lines) line.cut();
    };
    return {
      number: 0,
      interrupt,
      restore: () => {
        this.#isLetIn = true;
      },
      stop: async () => interrupt(),
    };
  }

  async openLine(): Promise<Line> {
    const [gateway, far] = memoryLinePair();
    if (!this.#device) throw new Error("the device is not switched on yet");
    if (!this.#isLetIn) {
      far.close();
      return gateway;
    }
    let isOpen = true;
    const end = () => {
      isOpen = false;
      this.#lines.delete(line);
    };
    const line: PortLine = {
      get isOpen() {
        return isOpen;
      },
      send: (bytes) => far.write(bytes),
      cut() {
        end();
        far.close();
      },
    };
    this.#lines.add(line);
    far.listen({ data: this.#device.connect(line), closed: end });
    return gateway;
  }
}
