/**
 * Telling a machine's own names from those that somebody else made lead to it. A page on the web
 * can have a browser in the shop's network ask for `http://its.own.name/`, and let that name lead to
 * a machine there (DNS rebinding); the name in the request then gives it away.
 */

/** What a machine is called. */
export interface MachineNames {
  readonly hostname: string;
  /** Of its network interfaces, IPv4 and IPv6. */
  readonly addresses: readonly string[];
}

/**
 * True when a `Host` header, or the host of an origin, names the machine: by an address of its own,
 * its host name with or without `.local`, or as `localhost`.
 * @param host with or without a port, IPv6 in brackets
 */
export function namesMachine(host: string, { hostname, addresses }: MachineNames): boolean {
  const name = hostNameOf(host);
  if (name === undefined) return false;
  if (isLoopbackName(name)) return true;
  const own = hostname.toLowerCase();
  return name === own || name === `${own}.local` || addresses.some((a) => name === literalOf(a));
}

/** The name in its one form: lower case, addresses as URLs write them. Undefined for what is none. */
export function hostNameOf(host: string): string | undefined {
  if (!/^(\[[0-9a-f:.]+\]|[^\s/?#@:[\]\\]+)(:\d+)?$/i.test(host)) return undefined;
  const url = `http://${host}/`;
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

function isLoopbackName(name: string): boolean {
  const isLocalhost = name === "localhost" || name.endsWith(".localhost");
  return isLocalhost || name === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(name);
}

/** True for a host that leads to the machine itself wherever it is used. */
export function namesLoopback(host: string): boolean {
  const name = hostNameOf(host);
  return name !== undefined && isLoopbackName(name);
}

/** An IPv6 address without the brackets that URLs have it in; any other host as it is. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, "");
}

/** An address as it stands in a URL, without the zone of a link-local one. */
function literalOf(address: string): string | undefined {
  const [plain = ""] = address.split("%", 1);
  return hostNameOf(plain.includes(":") ? `[${plain}]` : plain);
}
