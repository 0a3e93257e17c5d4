/** A simulated device's port on the network. */

import { createServer, type Server, type Socket } from "node:net";
import { type DevicePort, type PortDevice, type PortLine, UNREAD_BYTES_MAX } from "./port.ts";

/** Hosts connected at one time; further ones are turned away. */
const LINES_MAX = 4;

/** Listens on TCP; port 0 picks a free one. @throws Error of the system, such as EADDRINUSE */
export function openNetworkPort(
  address: { readonly host: string; readonly port: number },
  device: PortDevice,
): Promise<DevicePort> {
  const port = new NetworkPort(device);
  return port.listen(address);
}

class NetworkPort implements DevicePort {
  readonly #device: PortDevice;
  readonly #server: Server;
  readonly #lines = new Set<PortLine>();
  #isLetIn = true;

  constructor(device: PortDevice) {
    this.#device = device;
    this.#server = createServer({ noDelay: true }, (socket) => this.#admit(socket));
  }

  get number(): number {
    const address = this.#server.address();
    return typeof address === "object" && address ? address.port : 0;
  }

  listen(address: { readonly host: string; readonly port: number }): Promise<this> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(address.port, address.host, () => {
        this.#server.off("error", reject);
        resolve(this);
      });
    });
  }

  interrupt(): void {
    this.#isLetIn = false;
    for (const line of this.#lines) line.cut();
  }

  restore(): void {
    this.#isLetIn = true;
  }

  stop(): Promise<void> {
    this.interrupt();
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  #admit(socket: Socket): void {
    if (this.#lines.size >= LINES_MAX || !this.#isLetIn) {
      socket.destroy();
      this.#device.turnedAway?.();
      return;
    }
    const line: PortLine = {
      get isOpen() {
        return !socket.destroyed;
      },
      send: (bytes) => {
        if (socket.destroyed) return;
        socket.write(bytes);
        if (socket.writableLength > UNREAD_BYTES_MAX) socket.destroy();
      },
      cut: () => {
        socket.destroy();
      },
    };
    this.#lines.add(line);
    const take = this.#device.connect(line);
    socket.on("data", (chunk) => {
      // Without an encoding set, a socket gives bytes only.
      if (typeof chunk !== "string") take(chunk);
    });
    // The close that follows says all there is to say about a line that broke.
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#lines.delete(line));
  }
}
