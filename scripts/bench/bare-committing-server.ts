/** A server that commits what it reads before it answers, all of one turn in one commit. */

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "#db/connection.ts";
import { Writer } from "#db/writer.ts";

const database = openDatabase(join(mkdtempSync(join(tmpdir(), "fiscald-bench-")), "bare.db"));
database.sqlite.exec("CREATE TABLE rows (id INTEGER PRIMARY KEY, body TEXT)");
const insert = database.sqlite.prepare("INSERT INTO rows (body) VALUES (?)");
const writer = new Writer(database);
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const body = await request.json();
    await writer.run(() => insert.run(JSON.stringify(body)));
    return Response.json(body, { status: 201 });
  },
});
console.log(`http://127.0.0.1:${server.port}`);
