/** The migrations, in order, inside the executable. A released one is never edited. */

import init from "./0000_init.sql" with { type: "text" };
import events from "./0001_events.sql" with { type: "text" };
import growth from "./0002_growth.sql" with { type: "text" };
import leanEvents from "./0003_lean_events.sql" with { type: "text" };
import keptAnswers from "./0004_kept_answers.sql" with { type: "text" };
import printers from "./0005_printers.sql" with { type: "text" };
import restored from "./0006_restored.sql" with { type: "text" };
import rest from "./0007_rest.sql" with { type: "text" };
import deliveriesWait from "./0008_deliveries_wait.sql" with { type: "text" };
import toldAlerts from "./0009_told_alerts.sql" with { type: "text" };
import filters from "./0010_filters.sql" with { type: "text" };
import saleNumbers from "./0011_sale_numbers.sql" with { type: "text" };
import simulated from "./0012_simulated.sql" with { type: "text" };
import auditByResource from "./0013_audit_by_resource.sql" with { type: "text" };
import auditByActor from "./0014_audit_by_actor.sql" with { type: "text" };
import closing from "./0015_closing.sql" with { type: "text" };
import controllersSeen from "./0016_controllers_seen.sql" with { type: "text" };
import guesses from "./0017_guesses.sql" with { type: "text" };
import attempts from "./0018_attempts.sql" with { type: "text" };
import pastAlerts from "./0019_past_alerts.sql" with { type: "text" };
import documentChecks from "./0020_document_checks.sql" with { type: "text" };
import printedOrder from "./0021_printed_order.sql" with { type: "text" };
import restoredOrder from "./0022_restored_order.sql" with { type: "text" };
import addressProof from "./0023_address_proof.sql" with { type: "text" };
import paperWidth from "./0024_paper_width.sql" with { type: "text" };
import reversalTenders from "./0025_reversal_tenders.sql" with { type: "text" };
import saidLast from "./0026_said_last.sql" with { type: "text" };
import reversalCurrency from "./0027_reversal_currency.sql" with { type: "text" };
import receiptsByBooking from "./0028_receipts_by_booking.sql" with { type: "text" };
import asAccepted from "./0029_as_accepted.sql" with { type: "text" };
import whoHadIt from "./0030_who_had_it.sql" with { type: "text" };
import sentTo from "./0031_sent_to.sql" with { type: "text" };
import addressKeys from "./0032_address_keys.sql" with { type: "text" };
import printedDay from "./0033_printed_day.sql" with { type: "text" };
import noteIds from "./0034_note_ids.sql" with { type: "text" };
import order from "./0035_order.sql" with { type: "text" };
import deliveriesById from "./0036_deliveries_by_id.sql" with { type: "text" };
import toldNumbers from "./0037_told_numbers.sql" with { type: "text" };
import daySeen from "./0038_day_seen.sql" with { type: "text" };
import acceptedOrder from "./0039_accepted_order.sql" with { type: "text" };
import auditByTime from "./0040_audit_by_time.sql" with { type: "text" };
import uncountedStornos from "./0041_uncounted_stornos.sql" with { type: "text" };
import unnumberedSales from "./0042_unnumbered_sales.sql" with { type: "text" };
import reversalFacts from "./0043_reversal_facts.sql" with { type: "text" };
import elsewhereReceipts from "./0044_elsewhere_receipts.sql" with { type: "text" };
import namedPapers from "./0045_named_papers.sql" with { type: "text" };

export interface Migration {
  readonly name: string;
  readonly sql: string;
}

export const MIGRATIONS: readonly Migration[] = [
  { name: "0000_init", sql: init },
  { name: "0001_events", sql: events },
  { name: "0002_growth", sql: growth },
  { name: "0003_lean_events", sql: leanEvents },
  { name: "0004_kept_answers", sql: keptAnswers },
  { name: "0005_printers", sql: printers },
  { name: "0006_restored", sql: restored },
  { name: "0007_rest", sql: rest },
  { name: "0008_deliveries_wait", sql: deliveriesWait },
  { name: "0009_told_alerts", sql: toldAlerts },
  { name: "0010_filters", sql: filters },
  { name: "0011_sale_numbers", sql: saleNumbers },
  { name: "0012_simulated", sql: simulated },
  { name: "0013_audit_by_resource", sql: auditByResource },
  { name: "0014_audit_by_actor", sql: auditByActor },
  { name: "0015_closing", sql: closing },
  { name: "0016_controllers_seen", sql: controllersSeen },
  { name: "0017_guesses", sql: guesses },
  { name: "0018_attempts", sql: attempts },
  { name: "0019_past_alerts", sql: pastAlerts },
  { name: "0020_document_checks", sql: documentChecks },
  { name: "0021_printed_order", sql: printedOrder },
  { name: "0022_restored_order", sql: restoredOrder },
  { name: "0023_address_proof", sql: addressProof },
  { name: "0024_paper_width", sql: paperWidth },
  { name: "0025_reversal_tenders", sql: reversalTenders },
  { name: "0026_said_last", sql: saidLast },
  { name: "0027_reversal_currency", sql: reversalCurrency },
  { name: "0028_receipts_by_booking", sql: receiptsByBooking },
  { name: "0029_as_accepted", sql: asAccepted },
  { name: "0030_who_had_it", sql: whoHadIt },
  { name: "0031_sent_to", sql: sentTo },
  { name: "0032_address_keys", sql: addressKeys },
  { name: "0033_printed_day", sql: printedDay },
  { name: "0034_note_ids", sql: noteIds },
  { name: "0035_order", sql: order },
  { name: "0036_deliveries_by_id", sql: deliveriesById },
  { name: "0037_told_numbers", sql: toldNumbers },
  { name: "0038_day_seen", sql: daySeen },
  { name: "0039_accepted_order", sql: acceptedOrder },
  { name: "0040_audit_by_time", sql: auditByTime },
  { name: "0041_uncounted_stornos", sql: uncountedStornos },
  { name: "0042_unnumbered_sales", sql: unnumberedSales },
  { name: "0043_reversal_facts", sql: reversalFacts },
  { name: "0044_elsewhere_receipts", sql: elsewhereReceipts },
  { name: "0045_named_papers", sql: namedPapers },
];
