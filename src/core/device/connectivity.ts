/** Whether a device can be reached, from what is known right now. */

/** A printer that stands where that of a record should be; null for numbers that it does not tell. */
export interface OtherPrinter {
  readonly serialNumber: string | null;
  readonly fiscalMemorySerialNumber: string | null;
  /** Its own record in the same organization; null where there is none. */
  readonly deviceId: string | null;
  /** Where it answered, as `addressText` writes it: the record may have been led elsewhere since. */
  readonly address: string;
}

/** What the live registry knows of a device. */
export interface Connectivity {
  /** The controller that owns the device has its socket open. */
  readonly controllerOnline: boolean;
  /** That controller reports its own line to the device as up. */
  readonly linkUp: boolean;
  /** Why its line is down, in words for a person; null when it is up, or nobody has tried yet. */
  readonly reason?: string | null;
  /** UTC milliseconds when the device was last heard of; null when it never was. */
  readonly lastSeenAt: number | null;
  /**
   * UTC milliseconds when its line was seen to break, by this process; it may have answered last
   * long before that.
   */
  readonly downSince?: number | undefined;
  /** What answers at its address, where that is another printer than its own. */
  readonly otherPrinter?: OtherPrinter | undefined;
}

export const DEVICE_STATUSES = ["online", "offline", "busy", "error"] as const;
export type StoredDeviceStatus = (typeof DEVICE_STATUSES)[number];

/** What the connection history of a device tells of. */
export const CONNECTION_EVENT_TYPES = ["connected", "disconnected"] as const;
export type ConnectionEventType = (typeof CONNECTION_EVENT_TYPES)[number];

/** The only authoritative value: online needs both the controller's socket and the device's line. */
export function effectiveStatus({ controllerOnline, linkUp }: Connectivity): "online" | "offline" {
  return controllerOnline && linkUp ? "online" : "offline";
}

/** The status that is told of a device, never stored: `busy` and `error` refine what is online or not. */
export function projectedStatus(facts: {
  readonly connectivity: Connectivity;
  /** A command runs on the device. */
  readonly isBusy: boolean;
  /** An alert of severity `error` stands, other than the device being disconnected. */
  readonly hasError: boolean;
}): StoredDeviceStatus {
  if (facts.isBusy) return "busy";
  return facts.hasError ? "error" : effectiveStatus(facts.connectivity);
}
