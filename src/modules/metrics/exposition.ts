/** Figures in the text form that Prometheus reads (its exposition format, version 0.0.4). */

export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** One figure, told apart from its like by its labels. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Figures of one name. */
export interface Metric {
  /** `fiscald_device_link_up`; of a counter it ends in `_total`. */
  readonly name: string;
  readonly kind: "counter" | "gauge";
  /** One sentence, without a full stop. */
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** How often something took at most so long; `counts` has one more than `bounds`, for the rest. */
export interface Distribution {
  readonly name: string;
  readonly kind: "histogram";
  readonly help: string;
  /** Upper bounds in rising order. */
  readonly bounds: readonly number[];
  readonly counts: readonly number[];
  /** Of all that was measured. */
  readonly sum: number;
}

/** The text. */
export function exposition(metrics: readonly (Metric | Distribution)[]): string {
  const lines = metrics.flatMap((metric) => [
    `# HELP ${metric.name} ${metric.help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}`,
    `# TYPE ${metric.name} ${metric.kind}`,
    ...(metric.kind === "histogram"
      ? histogramLines(metric)
      : metric.samples.map((sample) => line(metric.name, sample))),
  ]);
  return `${lines.join("\n")}\n`;
}

function histogramLines({ name, bounds, counts, sum }: Distribution): string[] {
  let total = 0;
  const buckets = counts.map((count, index) => {
    total += count;
    const le = index < bounds.length ? String(bounds[index]) : "+Inf";
    return line(`${name}_bucket`, { labels: { le }, value: total });
  });
  return [...buckets, `${name}_sum ${sum}`, `${name}_count ${total}`];
}

function line(name: string, { labels = {}, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
