CREATE TABLE `reversals` (
	`command_id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`original_receipt_id` text NOT NULL,
	`items` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`stands` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `reversals_standing` ON `reversals` (`original_receipt_id`) WHERE "reversals"."stands" = 1;--> statement-breakpoint
DROP INDEX `receipts_by_fiscal_id`;--> statement-breakpoint
CREATE INDEX `receipts_by_original` ON `receipts` (`original_receipt_id`) WHERE "receipts"."original_receipt_id" is not null;--> statement-breakpoint
CREATE INDEX `receipts_by_device` ON `receipts` (`org_id`,`device_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `receipts_reversing` ON `receipts` (`org_id`,`type`,`created_at`) WHERE "receipts"."type" <> 'sale';--> statement-breakpoint
CREATE INDEX `receipts_by_org_issue` ON `receipts` (`org_id`,`issued_at`);--> statement-breakpoint
CREATE INDEX `receipts_by_device_issue` ON `receipts` (`org_id`,`device_id`,`issued_at`);--> statement-breakpoint
CREATE INDEX `receipts_reversing_issue` ON `receipts` (`org_id`,`type`,`issued_at`) WHERE "receipts"."type" <> 'sale';--> statement-breakpoint
CREATE INDEX `receipts_by_org_total` ON `receipts` (`org_id`,`total_minor`);--> statement-breakpoint
CREATE INDEX `receipts_by_device_total` ON `receipts` (`org_id`,`device_id`,`total_minor`);--> statement-breakpoint
CREATE INDEX `receipts_reversing_total` ON `receipts` (`org_id`,`type`,`total_minor`) WHERE "receipts"."type" <> 'sale';--> statement-breakpoint
CREATE INDEX `receipts_by_fiscal_id` ON `receipts` (`org_id`,`fiscal_id`,`device_id`,`created_at`);