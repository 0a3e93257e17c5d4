/** What is asked of a gateway over HTTP, beside the connection. */

import { type Static, Type } from "@sinclair/typebox";
import { schemaCheckOf } from "#core/schema-check.ts";
import { errorCode, errorText } from "../platform/thrown.ts";
import type { GatewayPlace } from "./gateway-place.ts";

/** A request that is not answered for so long is given up. */
const ANSWER_MS = 10_000;
/** Of the devices of an organization, which are bounded by its plan. */
const BYTES_MAX = 8 * 1024 * 1024;

const Refusal = Type.Object({
  error: Type.Object({ code: Type.String(), message: Type.String() }),
});
/** To whoever asks for the path of the connection without a WebSocket. */
const NO_WEBSOCKET = 400;
/** For a key that is none of the gateway's, or none any more. */
const KEY_REFUSED = 401;
/** Codes of BoringSSL for certificates. */
const CERTIFICATE_CODE =
  /^(CERT_|ERR_TLS_CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_)/;
/** Over plain HTTP, where the gateway wants HTTPS. */
const SENT_ON = 307;

/** Why no connection comes about, in words for the person who set the controller up. */
export async function refusalOf(place: GatewayPlace): Promise<string> {
  const url = place.connectUrl.replace(/^ws/, "http");
  try {
    const answer = await fetch(url, { ...asked(place), redirect: "manual" });
    const elsewhere = URL.parse(answer.headers.get("location") ?? "");
    if (answer.status === SENT_ON && elsewhere !== null)
      return `The gateway is to be asked over HTTPS: take ${elsewhere.origin} for --url, and --ca`;
    if (answer.status === NO_WEBSOCKET)
      return "Something between here and the gateway takes no WebSockets";
    const message = refusalIn(readJson(await answer.text()));
    if (message === undefined) return noGateway(place, answer);
    const refused = `The gateway refuses: ${message}`;
    return answer.status === KEY_REFUSED
      ? `${refused}. Look at the API key of this controller, as it was shown when it was made`
      : refused;
  } catch (error) {
    return unreachedText(place, error);
  }
}

/** @returns undefined for what is no JSON, as the page of a proxy */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What a gateway says that refuses; undefined where it is none, or answers. */
function refusalIn(body: unknown): string | undefined {
  return schemaCheckOf(Refusal).accepts(body) ? body.error.message : undefined;
}

function noGateway({ origin }: GatewayPlace, { status }: Response): string {
  return `What answers at ${origin} is no gateway (${status})`;
}

function unreachedText({ origin, tls }: GatewayPlace, error: unknown): string {
  const reason = errorText(error);
  if (!CERTIFICATE_CODE.test(errorCode(error) ?? ""))
    return `The gateway cannot be reached: ${reason}`;
  const untrusted = `The certificate at ${origin} is not trusted here (${reason})`;
  return tls === undefined
    ? `${untrusted}: where the gateway's is of its own authority, give that with --ca; fiscald tls --ca prints it there`
    : `${untrusted}: call the gateway by a name of its certificate, with the authority of that gateway for --ca`;
}

/** What a controller looks at of a registered device. */
export const SeenDevice = Type.Object({
  id: Type.String(),
  name: Type.String(),
  driver: Type.String(),
  transport: Type.String(),
  connectionParams: Type.Object({}, { additionalProperties: true }),
  managedBy: Type.String(),
  effectiveStatus: Type.String(),
  controllerId: Type.Union([Type.String(), Type.Null()]),
  serialNumber: Type.Union([Type.String(), Type.Null()]),
  fiscalMemorySerialNumber: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});
export type SeenDevice = Static<typeof SeenDevice>;
const SeenDevices = Type.Array(SeenDevice);

/**
 * The devices of the organization.
 * @throws Error with a sentence for the person who set the controller up
 */
export async function listDevices(place: GatewayPlace): Promise<readonly SeenDevice[]> {
  const { answer, text } = await ask(place);
  if (text.length > BYTES_MAX) throw new Error("The gateway's list of devices is too long");
  const body = readJson(text);
  if (schemaCheckOf(SeenDevices).accepts(body)) return body;
  throw new Error(refusalIn(body) ?? noGateway(place, answer));
}

async function ask(place: GatewayPlace): Promise<{ answer: Response; text: string }> {
  try {
    const answer = await fetch(`${place.origin}/api/v1/devices`, asked(place));
    return { answer, text: await answer.text() };
  } catch (error) {
    throw new Error(unreachedText(place, error), { cause: error });
  }
}

function asked({ headers, tls }: GatewayPlace): BunFetchRequestInit {
  return {
    headers: { ...headers },
    redirect: "error",
    signal: AbortSignal.timeout(ANSWER_MS),
    ...(tls === undefined ? {} : { tls }),
  };
}
