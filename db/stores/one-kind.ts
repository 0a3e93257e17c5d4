/**
 * Receipts and reports of simulated printers and those of real ones are never in one list, nor in
 * one sum: what is trained with is left out wherever it is not asked for. Of lists this is the one
 * place that says so; `devicesWithBooks` says it of sums.
 */

/** What a list is asked for. */
interface Asked {
  readonly deviceId?: string | undefined;
  /** True for those of simulated printers instead of those of all others. */
  readonly simulated?: boolean | undefined;
}

/**
 * The filter with which all rows are of one kind, as a statement takes it. A device that is named
 * says by itself which.
 */
export function ofOneKind<Filter extends Asked>({ simulated, ...filter }: Filter) {
  if (filter.deviceId !== undefined) return filter;
  return { ...filter, simulated: Number(simulated ?? false) };
}
