/**
 * A TCP line whose two ends are both in this process, so that it is known at any moment whether
 * anything is on its way: a connection, its end, or bytes.
 */

import type { Line } from "#core/driver.ts";
import type { SetTimer } from "../simulator/engine.ts";
import { openNetworkPort } from "../simulator/port/network-port.ts";
import type { DevicePort, PortDevice, PortLine } from "../simulator/port/port.ts";
import { openTcp } from "../transport/tcp.ts";
import type { DeviceWire } from "./wire.ts";

const HOST = "127.0.0.1";

/** One connection as either end sees it. */
interface Connection {
  gateway: "not yet" | "open" | "over";
  device: "not yet" | "over" | PortLine;
  /** Bytes sent by the gateway that the device has not heard. */
  toDevice: number;
  /** Bytes sent by the device that the gateway has not heard. */
  toGateway: number;
}

/** The line to one device. Its connections are accepted in the order in which they were made. */
export class TcpWire implements DeviceWire {
  #connecting = 0;
  /** Those that are not over at both ends; the oldest first. */
  #connections: Connection[] = [];
  #bytes = 0;
  #port: DevicePort | undefined;

  get bytes(): number {
    return this.#bytes;
  }

  /** The TCP port of the device. */
  get port(): number {
    if (!this.#port) throw new Error("the device is not switched on yet");
    return this.#port.number;
  }

  get isQuiet(): boolean {
    if (this.#connections.some(isOver)) {
      this.#connections = this.#connections.filter((one) => !isOver(one));
    }
    return this.#connecting === 0 && this.#connections.every(isAtRest);
  }

  describe(): string {
    const connections = this.#connections.map(({ gateway, device, toDevice, toGateway }) => {
      const far = typeof device === "string" ? device : device.isOpen ? "open" : "over";
      return `gateway ${gateway}, device ${far}, ${toDevice} and ${toGateway} bytes`;
    });
    return `${this.#connecting} connecting; ${connections.join("; ")}`;
  }

  async openPort(device: PortDevice): Promise<DevicePort> {
    this.#port = await openNetworkPort(
      { host: HOST, port: 0 },
      {
        setTimer: device.setTimer,
        connect: (line) => this.#accept(line, device),
        turnedAway: () => {
          this.#next("device").device = "over";
        },
      },
    );
    return this.#port;
  }

  openLine(setTimer: SetTimer): Promise<Line> {
    const address = { host: HOST, port: this.port };
    return this.open(() => openTcp(address, { setTimer, isKnown: this.#bytes > 0 }));
  }

  /** Opens the gateway's end as somebody else would. */
  async open(openLine: () => Promise<Line>): Promise<Line> {
    this.#connecting += 1;
    try {
      return this.#count(await openLine());
    } finally {
      this.#connecting -= 1;
    }
  }

  /** The first connection that this end does not know of yet. */
  #next(end: "gateway" | "device"): Connection {
    const known = this.#connections.find((connection) => connection[end] === "not yet");
    if (known) return known;
    const made: Connection = {
      gateway: "not yet",
      device: "not yet",
      toDevice: 0,
      toGateway: 0,
    };
    this.#connections.push(made);
    return made;
  }

  #accept(line: PortLine, device: PortDevice): (chunk: Uint8Array) => void {
    const connection = this.#next("device");
    connection.device = line;
    const take = device.connect({
      get isOpen() {
        return line.isOpen;
      },
      send(bytes) {
        if (line.isOpen) connection.toGateway += bytes.length;
        line.send(bytes);
      },
      cut: () => line.cut(),
    });
    return (chunk) => {
      connection.toDevice -= chunk.length;
      this.#bytes += chunk.length;
      take(chunk);
    };
  }

  #count(line: Line): Line {
    const connection = this.#next("gateway");
    connection.gateway = "open";
    return {
      write(bytes) {
        if (connection.gateway === "open") connection.toDevice += bytes.length;
        line.write(bytes);
      },
      listen: (listener) =>
        line.listen({
          data: (chunk) => {
            connection.toGateway -= chunk.length;
            this.#bytes += chunk.length;
            listener.data(chunk);
          },
          closed: (error) => {
            connection.gateway = "over";
            listener.closed(error);
          },
        }),
      close() {
        connection.gateway = "over";
        line.close();
      },
    };
  }
}

function isOpenAtDevice({ device }: Connection): boolean {
  return typeof device !== "string" && device.isOpen;
}

function isOver(connection: Connection): boolean {
  const { gateway, device } = connection;
  return gateway === "over" && device !== "not yet" && !isOpenAtDevice(connection);
}

function isAtRest(connection: Connection): boolean {
  const { gateway, toDevice, toGateway } = connection;
  return gateway === "open" && isOpenAtDevice(connection) && toDevice === 0 && toGateway === 0;
}
