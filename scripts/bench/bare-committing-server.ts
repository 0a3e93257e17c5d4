/**
 * A server that commits what it reads before it answers, all of one turn in one commit: as one row
 * of a bare table, or with `gateway-rows` as the command and the event that the gateway writes, into
 * its tables with their indexes.
 */

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "#db/connection.ts";
import { Writer } from "#db/writer.ts";
import { gatewayRows, oneRow } from "./bare-rows.ts";

const database = openDatabase(join(mkdtempSync(join(tmpdir(), "fiscald-bench-")), "bare.db"));
const insert = process.argv[2] === "gateway-rows" ? gatewayRows(database) : oneRow(database);
const writer = new Writer(database);
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const body = await request.json();
    await writer.run(() => insert(JSON.stringify(body)));
    return Response.json(body, { status: 201 });
  },
});
console.log(`http://127.0.0.1:${server.port}`);
