/** A real mail server on the loopback, for tests. */

import { readFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";

/** The authority of the test server's certificate, which is the certificate itself. */
export const CA_FILE = join(import.meta.dir, "../testdata/mail-server.crt");
const KEY_FILE = join(import.meta.dir, "../testdata/mail-server.key");

/** A mail as the server took it. */
export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Head and body as sent. */
  readonly text: string;
  readonly isEncrypted: boolean;
  /** Who logged in; undefined where nobody did. */
  readonly user: string | undefined;
}

export interface SmtpBenchOptions {
  /** One of its own choice unless given. */
  readonly port?: number;
  /** Without it there is none. */
  readonly tls?: "starttls" | "from the start";
  /** The only login that is taken; without it there is none. */
  readonly login?: { readonly user: string; readonly password: string };
  /** What is said to each recipient; taken unless given. */
  readonly refusal?: { readonly code: number; readonly text: string };
}

export interface SmtpBench {
  readonly port: number;
  readonly mails: readonly TakenMail[];
  /** Connections so far. */
  readonly connections: () => number;
  close(): Promise<void>;
}

/** Starts the server. */
export async function startSmtpServer(options: SmtpBenchOptions = {}): Promise<SmtpBench> {
  const mails: TakenMail[] = [];
  let connections = 0;
  const server = new SMTPServer({
    secure: options.tls === "from the start",
    key: readFileSync(KEY_FILE),
    cert: readFileSync(CA_FILE),
    disableReverseLookup: true,
    disabledCommands: [
      ...(options.tls === "starttls" ? [] : ["STARTTLS"]),
      ...(options.login === undefined ? ["AUTH"] : []),
    ],
    authOptional: options.login === undefined,
    allowInsecureAuth: options.tls === undefined,
    closeTimeout: 100,
    onConnect(_session, callback) {
      connections += 1;
      callback();
    },
    onAuth({ username, password }, _session, callback) {
      const { login } = options;
      if (username === login?.user && password === login?.password) {
        callback(null, { user: username });
      } else callback(new Error(`wrong login ${username} ${password} ${btoa(password ?? "")}`));
    },
    onRcptTo(_address, _session, callback) {
      const { refusal } = options;
      if (refusal === undefined) callback();
      else callback(Object.assign(new Error(refusal.text), { responseCode: refusal.code }));
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString("utf8"),
          isEncrypted: session.secure,
          user: typeof session.user === "string" ? session.user : undefined,
        });
        callback();
      });
    },
  });
  // A client that leaves in the middle is what some tests are about.
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  return {
    port: portOf(server.server),
    mails,
    connections: () => connections,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** A server that takes connections and never says a word. */
export async function startSilentServer() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    port: portOf(server),
    connections: () => sockets.size,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

function portOf(server: Pick<Server, "address">): number {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server has no port");
  return address.port;
}
