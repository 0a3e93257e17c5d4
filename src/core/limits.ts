/** Every number of the contract, with its unit. Configuration may override those it names. */

import { patternOf } from "./patterns.ts";

/** Waiting for a controller to connect, from acceptance. */
export const PUSH_WAIT_SECONDS = 60;
/** Waiting for a command to begin on its device, from acceptance. */
export const OVERALL_SECONDS = 180;
/** How long a document may stand paused for paper or an open cover. */
export const PAUSE_LIMIT_SECONDS = 600;
/** How long a reachable device may be asked about a document in doubt. */
export const RESOLUTION_LIMIT_MS = 600_000;
/**
 * How long a remote controller may say nothing of a command that it began, or of a question. What is in
 * doubt there is handed to it anew after that, and ends after twice as long.
 */
export const UNHEARD_LIMIT_MS = 1_200_000;
/** A device must have been silent for this long before a person may say what became of a document. */
export const SETTLE_SILENCE_MS = 60_000;
/** Idle status polling of a device. */
export const STATUS_POLL_SECONDS = 30;
/** The same, of one without paper, with an open cover or a fault: a person is about to mend it. */
export const MENDING_POLL_SECONDS = 3;

/** Commands that may wait for one device, and that may be unfinished in the whole appliance. */
export const WAITING_PER_DEVICE_MAX = 1_000;
export const WAITING_MAX = 10_000;

export const BODY_BYTES_MAX = 1_048_576;
/** Bytes of a command's payload as JSON. */
export const PAYLOAD_BYTES_MAX = 65_536;
/** Levels of a command's payload: `{}` is one, `{"a":[]}` two. */
export const PAYLOAD_DEPTH_MAX = 32;
/** Levels of a body, which is one around a payload. */
export const BODY_DEPTH_MAX = PAYLOAD_DEPTH_MAX + 1;
/** Characters of a logo as base64. */
export const LOGO_CHARACTERS_MAX = 700_000;
export const DEVICE_NAME_MAX = 255;
/** Documents of a simulated printer that are shown at once. */
export const PAPER_DOCUMENTS_MAX = 50;
/** Simulated printers of one organization. */
export const SIMULATED_PRINTERS_MAX = 10;
/** Of all organizations: each takes memory of the one process that runs them. */
export const SIMULATED_PRINTERS_OF_ALL_MAX = 50;
/**
 * What one organization may have of each; lists of these have no pages. Of webhooks fewer, for each
 * event is sent to all of them.
 */
export const ORG_ROWS_MAX = {
  apiKeys: 500,
  controllers: 500,
  locations: 500,
  members: 500,
  webhooks: 100,
} as const;
/** Faults of one request or message that are told. */
export const ISSUES_MAX = 50;
export const PORT_MAX = 65_535;
export const LINE_CHARACTERS_MAX = 48;
export const HEADER_FOOTER_LINES_MAX = 10;
export const OPERATOR_NAME_MAX = 32;
export const OPERATOR_PASSWORD_MAX = 8;
export const KEY_LABEL_MAX = 100;
export const LIST_LIMIT_MAX = 100;
export const LIST_LIMIT_DEFAULT = 50;
export const WAIT_SECONDS_MAX = 60;

/** Events of a device's connection history that are shown. */
export const CONNECTION_HISTORY_MAX = 20;
export const CONNECTION_HISTORY_KEPT_MS = 7 * 86_400_000;
/** Alerts that have ended are listed for so long, and so many of each device at most. */
export const ALERT_HISTORY_KEPT_MS = 90 * 86_400_000;
export const ALERT_HISTORY_MAX = 1_000;
/**
 * A fiscal day may be open for this long: then its Z report is overdue, and two sales of one number that
 * are further apart are of two days.
 */
export const FISCAL_DAY_OPEN_MS_MAX = 24 * 3_600_000;
/**
 * A fiscal day takes in what was printed at most this long before its Z report: one that began
 * before a shop was closed for weeks, but not all the years of one whose Z reports are made by hand.
 */
export const FISCAL_DAY_MS_MAX = 31 * 86_400_000;
/** What a summary by hours may span, and any other; each with an hour for clocks put back. */
export const SUMMARY_HOURS_MS_MAX = 31 * 86_400_000 + 3_600_000;
export const SUMMARY_MS_MAX = 366 * 86_400_000 + 3_600_000;
/** How long a live route waits for the end of its command, and the one of the Z report. */
export const LIVE_WAIT_MS = 30_000;
export const LIVE_Z_REPORT_WAIT_MS = 120_000;

/** Commands are kept for this long, and longer while their outcome is open. Two years. */
export const COMMANDS_KEPT_MS = 730 * 86_400_000;
/** Events can be read back for this long. */
export const EVENTS_KEPT_MS = 7 * 86_400_000;

export const WEBHOOK_URL_MAX = 2_048;
export const WEBHOOK_DESCRIPTION_MAX = 500;
export const DELIVERY_LIST_MAX = 200;
export const DELIVERIES_KEPT_MS = 30 * 86_400_000;
/** Before the second attempt of a delivery, the third, and so on; a tenth more at most. */
export const DELIVERY_WAITS_MS = [60_000, 300_000, 1_800_000, 7_200_000, 43_200_000] as const;
/** Deliveries that end failed in a row and so disable their webhook. */
export const DELIVERY_FAILURES_MAX = 20;
/** One attempt, from the look-up of the name to the answer. */
export const DELIVERY_ATTEMPT_MS = 10_000;
/** Bytes of an endpoint's answer that are kept. */
export const DELIVERY_ANSWER_BYTES = 1_024;

export const CONTROLLER_ID_PATTERN = patternOf(
  "^[A-Za-z0-9._-]{1,128}$",
  "1 to 128 characters of A-Z, a-z, 0-9, point, _ and -",
);
export const CONTROLLER_TEXT_MAX = 255;
/** What a device, or a controller for it, calls a document; wherever one is named it may be as long. */
export const FISCAL_ID_MAX = 128;
export const FCM_TOKEN_MAX = 4_096;
/** A remote controller is pinged this often, */
export const HEARTBEAT_SECONDS = 15;
/** and is gone when nothing was heard of it for so long. */
export const CONTROLLER_SILENCE_SECONDS = 45;
/** Messages that a controller may send, and how many of them in a row after a pause. */
export const CONTROLLER_MESSAGES = { burst: 1_000, perSecond: 100 } as const;
/** The same for what passes on lines that somebody looks at, which does not count among those. */
export const CONTROLLER_LINE_MESSAGES = { burst: 8_000, perSecond: 800 } as const;
/** The same for announcements, for each of its devices: each may be an entry in their history. */
export const CONTROLLER_ANNOUNCEMENTS = { burst: 500, perSecond: 1 } as const;
/** The same for messages that make no sense. */
export const CONTROLLER_FAULTS = { burst: 20, perSecond: 0.1 } as const;
/** Levels of a message of a controller. */
export const CONTROLLER_MESSAGE_DEPTH_MAX = 32;
/** Characters of a baseline, and of what is noted of a device, as JSON. */
export const BASELINE_CHARACTERS_MAX = 16_384;
export const NOTE_CHARACTERS_MAX = 4_096;
/** How long a search for devices may take; what is left then is told as not tried. */
export const DETECTION_LIMIT_MS = 120_000;
/** How long a remote controller may search for devices. */
export const REMOTE_SEARCH_MS = 180_000;

export const IDEMPOTENCY_KEY_PATTERN = "^[a-zA-Z0-9_-]{1,128}$";
export const IDEMPOTENCY_WINDOW_MS = 24 * 3_600_000;

export const ACCESS_TOKEN_SECONDS = 15 * 60;
/** How long the person at the box may ask with one token. */
export const BOX_TOKEN_SECONDS = 60;
export const REFRESH_TOKEN_SECONDS = 30 * 24 * 3_600;
/**
 * How long after its exchange a refresh token of a cookie may come again: tabs of one browser share
 * the cookie, and a page that is left takes the answer with it.
 */
export const REFRESH_REPEAT_MS = 30_000;
/** How long a code for a new password lasts, and how soon a user may ask for another one. */
export const RESET_CODE_MS = 3_600_000;
export const RESET_CODE_INTERVAL_MS = 60_000;
/** How long a new member may take to set the first password. */
export const SETUP_TOKEN_MS = 7 * 86_400_000;
export const PASSWORD_MIN = 10;
export const PASSWORD_MAX = 128;
/** `lastUsed` of an API key is written at most this often. */
export const KEY_LAST_USED_INTERVAL_MS = 60_000;

/** Receipt balance tolerance: one minor unit. */
export const BALANCE_TOLERANCE_MINOR = 1;
/** Lines on one receipt; the largest any supported protocol takes is 512. */
export const RECEIPT_ITEMS_MAX = 500;
export const RECEIPT_PAYMENTS_MAX = 20;
export const ITEM_NAME_MAX = 255;
/** Largest price, amount or sum: 99,999,999.99 currency units. */
export const AMOUNT_MINOR_MAX = 9_999_999_999;
/** Largest quantity: 999,999.999. */
export const QUANTITY_MILLI_MAX = 999_999_999;

/** Devices and API keys a plan allows. */
export const PLAN_LIMITS = {
  free: { devices: 2, apiKeys: 0 },
  pro: { devices: 10, apiKeys: Number.POSITIVE_INFINITY },
  enterprise: { devices: Number.POSITIVE_INFINITY, apiKeys: Number.POSITIVE_INFINITY },
} as const;

export type Plan = keyof typeof PLAN_LIMITS;
export const PLANS = ["free", "pro", "enterprise"] as const satisfies readonly Plan[];
