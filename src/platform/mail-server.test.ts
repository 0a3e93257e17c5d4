import { afterEach, expect, test } from "bun:test";
import { until } from "../e2e/harness/until.ts";
import { type MailServer, mailServer } from "./mail-server.ts";
import { rejection } from "./testing/rejection.ts";
import {
  CA_FILE,
  type SmtpBench,
  type SmtpBenchOptions,
  startSilentServer,
  startSmtpServer,
} from "./testing/smtp-server.ts";

const LOGIN = { user: "gateway", password: "s3cret of the gateway" };
const MAIL = {
  ...{ to: "ana@example.com", subject: "A code", text: "The code:\n\n    abc_DEF-123\n" },
  ...{ about: {}, expiresAt: 0 },
};

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function smtp(options: SmtpBenchOptions): Promise<SmtpBench> {
  const server = await startSmtpServer(options);
  open.push(server);
  return server;
}

function send(
  change: Partial<MailServer> & { port: number },
  mail = MAIL,
  signal = new AbortController().signal,
): Promise<void> {
  const server: MailServer = {
    ...{ host: "127.0.0.1", security: "starttls", user: "", password: "", caFile: CA_FILE },
    ...{ from: "fiscald@example.com", ...change },
  };
  return mailServer(server)(mail, signal);
}

test("a mail arrives by STARTTLS with a login", async () => {
  const server = await smtp({ tls: "starttls", login: LOGIN });
  await send({ port: server.port, ...LOGIN });
  expect(server.mails).toEqual([
    {
      ...{ from: "fiscald@example.com", to: ["ana@example.com"], isEncrypted: true },
      ...{ user: LOGIN.user, text: expect.stringContaining("    abc_DEF-123\r\n") },
    },
  ]);
  expect(server.mails[0]?.text).toMatch(/^Subject: A code\r$/m);
});

test("a mail arrives by TLS from the first byte, and by host name", async () => {
  const server = await smtp({ tls: "from the start" });
  await send({ port: server.port, security: "tls", host: "localhost" });
  expect(server.mails).toMatchObject([{ isEncrypted: true }]);
});

test("a mail arrives without encryption where that is asked for", async () => {
  const server = await smtp({ login: LOGIN });
  await send({ port: server.port, security: "none", caFile: "", ...LOGIN });
  expect(server.mails).toMatchObject([{ isEncrypted: false, user: LOGIN.user }]);
});

test("a server without STARTTLS learns neither the mail nor the password", async () => {
  const server = await smtp({ login: LOGIN });
  expect((await rejection(send({ port: server.port, ...LOGIN }))).message).toMatch(/STARTTLS|TLS/);
  expect([server.connections(), server.mails]).toEqual([1, []]);
});

test("a certificate of an unknown authority is refused", async () => {
  const server = await smtp({ tls: "starttls" });
  expect((await rejection(send({ port: server.port, caFile: "" }))).message).toMatch(
    /certificate/i,
  );
  expect(server.mails).toEqual([]);
});

test("an authority's file that is not there is named", async () => {
  const server = await smtp({ tls: "starttls" });
  expect((await rejection(send({ port: server.port, caFile: "/none/ca.pem" }))).message).toContain(
    "/none/ca.pem",
  );
});

test("a wrong login is told with the server's code, without the password", async () => {
  const server = await smtp({ tls: "starttls", login: LOGIN });
  const wrong = send({ port: server.port, user: "gateway", password: "not it" });
  expect(await rejection(wrong)).toMatchObject({
    responseCode: 535,
    message: expect.stringContaining("wrong login gateway [secret] [secret]"),
  });
});

test("a recipient is one, whatever stands in the address", async () => {
  const server = await smtp({ tls: "starttls" });
  const to = "ana,bo@example.com";
  await send({ port: server.port }, { ...MAIL, to }).catch(() => undefined);
  expect(server.mails.flatMap((mail) => mail.to)).not.toContain("bo@example.com");
});

test("a server that is away is told at once", async () => {
  const server = await startSmtpServer();
  await server.close();
  expect(await rejection(send({ port: server.port }))).toMatchObject({
    message: expect.stringContaining("ECONNREFUSED"),
  });
});

test("a server that hangs is left when the signal says so", async () => {
  const server = await startSilentServer();
  open.push(server);
  const abort = new AbortController();
  const sending = send({ port: server.port }, MAIL, abort.signal);
  await until("the connection", () => server.connections() === 1);
  abort.abort(new Error("too slow"));
  await rejection(sending);
  expect(server.connections()).toBe(1);
});
