/** A forgotten password, from the executable to a mail server and back. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CA_FILE, startSilentServer, startSmtpServer } from "../platform/testing/smtp-server.ts";
import { ApiClient, type Gateway, registerShop, startGateway } from "./harness/gateway.ts";
import { until } from "./harness/until.ts";

const LOGIN = { user: "gateway", password: "s3cret-of-the-gateway" };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fiscald-mail-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const start = (port: number): Promise<Gateway> =>
  startGateway(join(folder, "state"), {
    args: [
      "--smtp-host=127.0.0.1",
      `--smtp-port=${port}`,
      `--smtp-user=${LOGIN.user}`,
      `--smtp-password=${LOGIN.password}`,
      "--smtp-from=fiscald@shop.example",
      `--smtp-ca-file=${CA_FILE}`,
    ],
  });

test("the executable mails a code, which sets a new password", async () => {
  const server = await startSmtpServer({ tls: "starttls", login: LOGIN });
  const gateway = await start(server.port);
  try {
    const { email } = await registerShop(gateway.url);
    const client = new ApiClient(gateway.url);
    expect((await client.call("POST", "/auth/forgot-password", { body: { email } })).status).toBe(
      202,
    );
    const mail = await until("the mail", () => server.mails[0]);
    expect(mail).toMatchObject({ to: [email], isEncrypted: true, user: LOGIN.user });
    const token = /^ {4}(\S+)\r$/m.exec(mail.text)?.[1];
    const password = "a new long password";
    const body = { token, password };
    expect((await client.call("POST", "/auth/reset-password", { body })).status).toBe(204);
    const credentials = { body: { email, password } };
    const login = await client.call<{ accessToken: string }>("POST", "/auth/login", credentials);
    expect(login.status).toBe(200);
    const again = new ApiClient(gateway.url, login.body.accessToken);
    const { entries } = await again.expect<{ entries: object[] }>("GET", "/audit?limit=1");
    expect(entries).toMatchObject([{ action: "user.password_reset", address: "127.0.0.1" }]);
  } finally {
    await gateway.kill();
    await server.close();
  }
});

test("a mail server that hangs keeps the executable neither from answering nor from ending", async () => {
  const silent = await startSilentServer();
  const gateway = await start(silent.port);
  try {
    const { email } = await registerShop(gateway.url);
    const client = new ApiClient(gateway.url);
    const asked = await client.call("POST", "/auth/forgot-password", { body: { email } });
    expect(asked.status).toBe(202);
    await until("the connection", () => silent.connections() === 1);
    expect(await gateway.stop()).toBe(0);
  } finally {
    await gateway.kill();
    await silent.close();
  }
});
