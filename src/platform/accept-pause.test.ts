import { expect, test } from "bun:test";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { until } from "../e2e/harness/until.ts";
import { acceptPause } from "./accept-pause.ts";

test("keeps what connects waiting until it resumes, and touches no other port", async () => {
  const open = async () => {
    const accepted: Socket[] = [];
    const server = createServer((socket) => accepted.push(socket));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
    const { port } = server.address() as AddressInfo;
    return { server, accepted, port };
  };
  const [paused, other] = [await open(), await open()];
  const clients: Socket[] = [];
  const connected = async (port: number): Promise<void> => {
    const socket = connect(port, "127.0.0.1");
    clients.push(socket);
    // The kernel connects whether anybody accepts or not.
    await new Promise<void>((resolve) => socket.once("connect", resolve));
  };
  const pause = acceptPause(paused.port);
  for (const end of ["resume", "listenersChange", "close"] as const) {
    const before = [paused.accepted.length, other.accepted.length] as const;
    pause?.pause();
    pause?.pause();
    await connected(paused.port);
    await connected(other.port);
    await until("the other port's", () => other.accepted.length > before[1] || undefined);
    expect(paused.accepted.length).toBe(before[0]);
    pause?.[end]();
    await until("what waited", () => paused.accepted.length > before[0] || undefined);
  }
  for (const socket of [...clients, ...paused.accepted, ...other.accepted]) socket.destroy();
  paused.server.close();
  other.server.close();
});
