/** Departments, as commands name them: one raw byte of 80h and the number. */

export const DEPARTMENTS = 19;
/** The VAT group that departments sell in as delivered. UNCONFIRMED on a device. */
export const DEPARTMENT_GROUP = 2;
const DEPARTMENT_BASE = 0x80;

/** The number of a department's byte; undefined when it is none. */
export function departmentOf(byte: number | undefined): number | undefined {
  const number = (byte ?? 0) - DEPARTMENT_BASE;
  return number >= 1 && number <= DEPARTMENTS ? number : undefined;
}
