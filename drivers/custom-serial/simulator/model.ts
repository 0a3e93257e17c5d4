/** What makes one simulated CUSTOM device differ from another. */

import type { SimulatedModel } from "../../simulator/family.ts";

/** Departments of every model; each has a VAT id. */
export const DEPARTMENTS = 20;

/**
 * The manual leaves open how a device behaves in several places. Where it does, the two generations
 * here take one reading each, so that a host has to get along with both.
 */
export interface CustomModel extends Omit<SimulatedModel, "responder" | "senses" | "numbered"> {
  /** Model and release as 1013 tells them, 32 characters. */
  readonly release: string;
  /** Two characters and eight digits, as 1008 tells them. */
  readonly serialNumber: string;
  /** Number of the fiscal memory in use, for 1104. */
  readonly memoryNumber: number;
  /** Answers stand in a frame like commands; otherwise they are bare text. */
  readonly framedReplies: boolean;
  /** Commands that only the newer generations have. */
  readonly has: {
    /** Lines of type B and C. */
    readonly percent: boolean;
    /** 1017. */
    readonly lastDocument: boolean;
    /** 7106 with R. */
    readonly readCash: boolean;
    /** 1020. */
    readonly fiscalState: boolean;
    /** 1021. */
    readonly documentType: boolean;
    /** 4007 with R. */
    readonly giftReceipt: boolean;
  };
  /** Number of the error for an open cover. */
  readonly coverError: number;
  /** 4001 wants copies and amount. */
  readonly longTextOpening: boolean;
  /** A receipt that is closed and not ejected yet counts as open in 1011 and 1016. */
  readonly closedCountsAsOpen: boolean;
  /** What is asked of the last document leaves out one that is closed and not ejected yet. */
  readonly tellsOnlyEjected: boolean;
  /** A cancelled receipt uses up a number of the day. */
  readonly cancelledTakesNumber: boolean;
  /** 7101 opens the return also when it answers that the original is not known. */
  readonly opensUnknownReturn: boolean;
  /** VAT id of each department, the first of department 1. */
  readonly departments: readonly number[];
}
