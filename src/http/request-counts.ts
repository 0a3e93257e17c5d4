/** How many requests there were, by route: two additions for each. */

/** Of one method and status of a route, since the process started. */
export interface RequestCount {
  readonly method: string;
  /** As it was declared: `/api/v1/devices/:deviceId`; `none` for paths that lead nowhere. */
  readonly route: string;
  readonly status: number;
  readonly count: number;
  /** All together, from the head to the beginning of the answer. */
  readonly ms: number;
}

type Counted = { -readonly [Field in keyof RequestCount]: RequestCount[Field] };

/** Methods beyond these are counted as one: a caller may make up any. */
const METHODS: ReadonlySet<string> = new Set([
  ...["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
]);

export class RequestCounts {
  readonly #counts = new Map<string, Counted>();

  /** @param route undefined for a path that leads nowhere */
  add(answer: {
    readonly method: string;
    readonly route: string | undefined;
    readonly status: number;
    readonly ms: number;
  }): void {
    const { route = "none", status, ms } = answer;
    const method = METHODS.has(answer.method) ? answer.method : "other";
    const key = `${method} ${status} ${route}`;
    const found = this.#counts.get(key);
    if (found === undefined) {
      this.#counts.set(key, { method, route, status, count: 1, ms });
      return;
    }
    found.count += 1;
    found.ms += ms;
  }

  all(): readonly RequestCount[] {
    return [...this.#counts.values()];
  }
}
