/** Requests of the tests, where a program ends a connection that it has not heard of for long. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { createServer, type Server } from "node:net";
import { ask } from "./ask.ts";

const ANSWER = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

let server: Server;
let url: string;
beforeEach(async () => {
  // As a program that came too late to see the request, and whose time for it was over.
  server = createServer((connection) => {
    connection.once("data", () => {
      connection.write(ANSWER);
      connection.once("data", () => connection.resetAndDestroy());
    });
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  url = `http://127.0.0.1:${address.port}`;
});
afterEach(() => {
  server.close();
});

test.each(["GET", "POST", "PATCH", "DELETE"])("a %s is answered all the same", async (method) => {
  for (let time = 0; time < 3; time += 1) {
    expect(await (await ask(url)).text()).toBe("ok");
    expect(await (await ask(url, { method })).text()).toBe("ok");
  }
});
