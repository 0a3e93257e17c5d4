/**
 * Connects so many times, sends so many requests over each connection at once, and ends without
 * waiting for an answer: `bun send-ahead.ts PORT CONNECTIONS REQUESTS PATH`. A process of its own, so
 * that a test can run it while its server stands still, and then sees everything wait at once.
 */

import { connect } from "node:net";

const [port, connections, requests, path] = process.argv.slice(2);
const request = `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(Number(requests));

const sent = Array.from(
  { length: Number(connections) },
  () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ host: "127.0.0.1", port: Number(port) }, () => {
        socket.write(request, () => resolve());
      });
      socket.on("error", reject);
    }),
);
await Promise.all(sent);
process.exit(0);
