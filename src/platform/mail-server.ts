/** Handing mails to a mail server by SMTP. */

import { readFile } from "node:fs/promises";
import type { MailSecurity } from "./mail-security.ts";
import type { Deliver } from "./outbox.ts";

/** Where mails are handed to, and as whom. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  readonly security: MailSecurity;
  /** Empty where the server asks for no login. */
  readonly user: string;
  readonly password: string;
  /** The sender's address. */
  readonly from: string;
  /** PEM file of a further authority that the server's certificate may come from; empty for none. */
  readonly caFile: string;
}

/** The server has this long for each step, so that one attempt ends by itself. */
const STEP_MS = 10_000;

/** Makes the function that hands over a mail. The package is loaded with the first one. */
export function mailServer(server: MailServer): Deliver {
  const { host, port, security, user, password, from, caFile } = server;
  return async (mail, signal) => {
    const { createTransport } = await import("nodemailer");
    // Read each time: a certificate that was renewed counts from then on.
    const { rootCertificates } = await import("node:tls");
    const ca = caFile === "" ? undefined : [...rootCertificates, await readFile(caFile, "utf8")];
    const transport = createTransport({
      ...{ host, port },
      secure: security === "tls",
      // A server, or somebody in between, that offers no encryption is refused.
      requireTLS: security === "starttls",
      ignoreTLS: security === "none",
      ...(user === "" ? {} : { auth: { user, pass: password } }),
      ...(ca === undefined ? {} : { tls: { ca } }),
      connectionTimeout: STEP_MS,
      greetingTimeout: STEP_MS,
      socketTimeout: STEP_MS,
      dnsTimeout: STEP_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    try {
      const { subject, text } = mail;
      // As objects, so that nothing in an address is taken for a second one.
      const people = { from: { name: "", address: from }, to: { name: "", address: mail.to } };
      await transport.sendMail({ ...people, subject, text, signal });
    } catch (error) {
      throw withoutSecrets(error, server);
    } finally {
      transport.close();
    }
  };
}

/** Some servers repeat what they were sent: the password goes no further, in whatever form. */
function withoutSecrets(error: unknown, { user, password }: MailServer): unknown {
  if (!(error instanceof Error) || password === "") return error;
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const forms = [password, base64(password), base64(`\0${user}\0${password}`)];
  const message = forms.reduce((text, form) => text.replaceAll(form, "[secret]"), error.message);
  const { code, responseCode } = { code: undefined, responseCode: undefined, ...error };
  return Object.assign(new Error(message), { code, responseCode });
}
