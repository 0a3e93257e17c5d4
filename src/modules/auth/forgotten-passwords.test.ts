import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { until } from "../../e2e/harness/until.ts";
import { mailServer } from "../../platform/mail-server.ts";
import { createOutbox, type Mail } from "../../platform/outbox.ts";
import { rejection } from "../../platform/testing/rejection.ts";
import { CA_FILE, startSilentServer, startSmtpServer } from "../../platform/testing/smtp-server.ts";
import { type ApiBench, type BenchOptions, createApiBench } from "../testing/api-bench.ts";

const OWNER = "owner@example.com";
const NEW = "a new long password";

let bench: ApiBench;
let mails: Mail[];
beforeEach(() => open());
afterEach(() => bench.close());

/** Builds an appliance that has a mail server, unless the options say otherwise. */
function open(options: BenchOptions = {}): void {
  mails = [];
  const outbox = { send: (mail: Mail) => mails.push(mail), stop: () => undefined };
  bench = createApiBench({ registration: "open", trustProxy: true, outbox, ...options });
}

const post = (path: string, body: object) =>
  bench.client.with({ "x-forwarded-for": "10.0.0.7" }).post(`/api/v1/auth/${path}`, body);
const ask = (email = OWNER) => post("forgot-password", { email });
const reset = (token: string, password = NEW) => post("reset-password", { token, password });
const login = (password: string) => post("login", { email: OWNER, password });
/** What was asked for is done. */
const done = () => bench.writer.run(() => undefined);
/** Asks for a code. @returns what the mail holds */
async function code(): Promise<string> {
  await ask();
  await done();
  return /^ {4}(\S+)$/m.exec(mails.at(-1)?.text ?? "")?.[1] ?? "";
}

describe("a forgotten password", () => {
  test("is replaced by a code from a mail, which ends all sessions", async () => {
    const { client, orgId, password } = await bench.owner();
    const token = await code();
    expect(mails).toMatchObject([{ to: OWNER, text: expect.stringContaining("Shop") }]);
    expect((await client.get("/api/v1/auth/me")).status).toBe(200);
    expect((await login(password)).status).toBe(200);
    expect((await reset(token)).status).toBe(204);
    expect((await client.get("/api/v1/auth/me")).refusal).toBe("401 UNAUTHORIZED");
    expect((await login(password)).status).toBe(401);
    expect((await login(NEW)).status).toBe(200);
    const id = bench.stores.users.findByEmail(OWNER)?.id;
    expect(bench.stores.audit.list(orgId, 2)).toMatchObject([
      {
        ...{ actor: `user:${id}`, action: "user.password_reset", resource: id },
        address: "10.0.0.7",
      },
      {
        ...{ actor: "nobody", action: "user.password_reset_asked", resource: id },
        address: "10.0.0.7",
      },
    ]);
  });

  test("is not asked for without an address", async () => {
    for (const body of [{}, { email: "x" }, { email: 5 }]) {
      const answer = await post("forgot-password", body);
      expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", ["email"]]);
    }
  });

  test("is asked for with the same answer, before anything is done, whoever there is", async () => {
    const { orgId } = await bench.owner();
    const inactive = (await bench.member(orgId, "operator")).userId;
    await bench.writer.run(() => {
      const now = bench.clock.now();
      bench.stores.users.setActive(orgId, inactive, { active: false, now });
    });
    const known = await ask(" Owner@Example.com");
    expect(mails).toEqual([]);
    const answers = [known, await ask("nobody@example.com"), await ask(`${inactive}@example.com`)];
    expect(answers.map(({ status, body }) => [status, body])).toEqual(
      answers.map(() => [202, { delivery: "mail" }]),
    );
    await done();
    expect(mails.map(({ to }) => to)).toEqual([OWNER]);
  });

  test.each([
    ["forgot-password", {}, "email"],
    ["forgot-password", { email: "nobody" }, "email"],
    ["reset-password", { token: "", password: NEW }, "token"],
    ["reset-password", { token: "x".repeat(513), password: NEW }, "token"],
    ["reset-password", { token: "x", password: "too short" }, "password"],
    ["reset-password", { token: "x", password: "x".repeat(129) }, "password"],
  ])("%s refuses %j", async (path, body, issue) => {
    const answer = await post(path, body);
    expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", [issue]]);
  });

  test.each(["forgot-password", "reset-password"])("%s counts as authentication", async (path) => {
    bench.close();
    open({ limits: { authMax: 2 } });
    const call = () => post(path, { email: "a@example.com", token: "x", password: NEW });
    const statuses = [await call(), await call(), await call()].map(({ status }) => status);
    expect(statuses.map((status) => status === 429)).toEqual([false, false, true]);
  });

  test("is nothing to a log, an event or the database", async () => {
    const { orgId } = await bench.owner();
    const token = await code();
    await reset(`${token}x`);
    const stored = bench.database.sqlite.prepare("SELECT * FROM password_codes").all();
    expect(stored).toHaveLength(1);
    await reset(token);
    const texts = [
      ...bench.lines,
      JSON.stringify([stored, bench.events, bench.stores.audit.list(orgId, 100)]),
    ];
    for (const secret of [token, NEW]) expect(texts.join("")).not.toContain(secret);
  });
});

describe("a code", () => {
  test("is used once, also when two use it at once", async () => {
    await bench.owner();
    const token = await code();
    const both = await Promise.all([reset(token, `${NEW} 1`), reset(token, `${NEW} 2`)]);
    expect(both.map(({ status }) => status).sort()).toEqual([204, 401]);
    expect((await reset(token)).refusal).toBe("401 UNAUTHORIZED");
  });

  test("expires after an hour", async () => {
    await bench.owner();
    const token = await code();
    bench.clock.advance(3_600_000 - 1);
    const later = await code();
    bench.clock.advance(1);
    expect((await reset(token)).refusal).toBe("401 UNAUTHORIZED");
    expect((await reset(later)).status).toBe(204);
  });

  test("is sent at most once a minute, and each of several is good until one is used", async () => {
    await bench.owner();
    const first = await code();
    await ask();
    bench.clock.advance(59_999);
    await ask();
    await done();
    expect(mails).toHaveLength(1);
    bench.clock.advance(1);
    const second = await code();
    expect(second).not.toBe(first);
    expect((await reset(first)).status).toBe(204);
    expect((await reset(second)).refusal).toBe("401 UNAUTHORIZED");
  });

  test("is sent also where what shares its transaction is refused", async () => {
    await bench.owner();
    await ask();
    const refused = bench.writer.run(() => {
      throw new Error("refused");
    });
    expect((await rejection(refused)).message).toContain("refused");
    await done();
    expect(mails).toHaveLength(1);
  });

  test("is sent to who was just given one by a person, at most once a minute", async () => {
    const { client } = await bench.owner();
    const member = { email: OWNER.replace("owner", "ana"), name: "Ana", role: "operator" };
    const added = await client.post("/api/v1/org/members", member);
    const askTwice = async (): Promise<number> => {
      for (const _ of [1, 2]) await ask(member.email);
      await done();
      return mails.length;
    };
    expect(await askTwice()).toBe(1);
    expect((await reset(added.field("setupToken"))).status).toBe(204);
    // That a code was used, or another one given, makes no more of them.
    expect(await askTwice()).toBe(1);
    const { id } = bench.stores.users.findByEmail(member.email) ?? { id: "" };
    expect((await client.post(`/api/v1/org/members/${id}/code`)).status).toBe(201);
    expect(await askTwice()).toBe(1);
    bench.clock.advance(60_000);
    expect(await askTwice()).toBe(2);
  });

  test("is of no use once the password was changed, or the user deactivated", async () => {
    const { client, orgId, password } = await bench.owner();
    const token = await code();
    const change = { currentPassword: password, newPassword: "changed by hand" };
    await client.post("/api/v1/auth/change-password", change);
    expect((await reset(token)).refusal).toBe("401 UNAUTHORIZED");
    bench.clock.advance(60_000);
    const another = await code();
    const userId = bench.stores.users.findByEmail(OWNER)?.id ?? "";
    await bench.writer.run(() => {
      bench.stores.users.setActive(orgId, userId, { active: false, now: bench.clock.now() });
    });
    expect((await reset(another)).refusal).toBe("401 UNAUTHORIZED");
  });

  test("that nobody was given opens nothing", async () => {
    await bench.owner();
    const hash = new Bun.CryptoHasher("sha256").update(await code()).digest("hex");
    for (const wrong of ["x", hash, `${"A".repeat(43)}`]) {
      expect((await reset(wrong)).refusal).toBe("401 UNAUTHORIZED");
    }
  });
});

test("without a mail server the answer says who gives out codes", async () => {
  bench.close();
  bench = createApiBench();
  await bench.owner();
  for (const email of [OWNER, "nobody@example.com"]) {
    const answer = await ask(email);
    expect([answer.status, answer.body]).toEqual([202, { delivery: "box" }]);
  }
  await done();
  const asked = bench.lines.filter((line) => line.includes("there is no mail server"));
  expect(asked).toHaveLength(1);
});

describe("with a real mail server", () => {
  const LOGIN = { user: "gateway", password: "s3cret of the gateway" };
  /** An appliance whose mails go to a port of this machine. */
  function openWith(port: number): void {
    bench.close();
    const { user, password } = LOGIN;
    const from = "fiscald@example.com";
    const deliver = mailServer({
      ...{ host: "127.0.0.1", port, security: "starttls", caFile: CA_FILE, user, password, from },
    });
    open({
      outbox: {
        send: (mail) => createOutbox({ deliver, clock: bench.clock, log: bench.log }).send(mail),
        stop: () => undefined,
      },
    });
  }
  const logged = (message: string) => bench.lines.filter((line) => line.includes(message));

  test("the code arrives by STARTTLS", async () => {
    const server = await startSmtpServer({ tls: "starttls", login: LOGIN });
    openWith(server.port);
    await bench.owner();
    expect((await ask()).status).toBe(202);
    await done();
    const mail = await until("the mail", () => server.mails[0]);
    expect(mail).toMatchObject({ isEncrypted: true, user: LOGIN.user, to: [OWNER] });
    const token = /^ {4}(\S+)\r$/m.exec(mail.text)?.[1] ?? "";
    expect((await reset(token)).status).toBe(204);
    await until("the log", () => logged("mail sent").length === 1);
    await server.close();
  });

  test("that is away the answer comes at once, and the code when it is back", async () => {
    const away = await startSmtpServer();
    await away.close();
    openWith(away.port);
    await bench.owner();
    expect((await ask()).status).toBe(202);
    await done();
    await until("the first attempt", () => logged("mail not sent yet").length === 1);
    expect(bench.lines.join("")).not.toContain(LOGIN.password);
    const back = await startSmtpServer({ tls: "starttls", login: LOGIN, port: away.port });
    await bench.clock.advanceAsync(10_000);
    await until("the mail", () => back.mails.length === 1);
    await until("the log", () => logged("mail sent").length === 1);
    await back.close();
  });

  test("that hangs the answer comes at once", async () => {
    const silent = await startSilentServer();
    openWith(silent.port);
    await bench.owner();
    expect((await ask()).status).toBe(202);
    await done();
    await until("the connection", () => silent.connections() === 1);
    expect((await ask("nobody@example.com")).status).toBe(202);
    await bench.clock.advanceAsync(30_000);
    await until("the end of the attempt", () => logged("took more than 30 s").length === 1);
    await silent.close();
  });
});
