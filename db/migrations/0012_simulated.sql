DROP INDEX `receipts_by_org`;--> statement-breakpoint
DROP INDEX `receipts_reversing`;--> statement-breakpoint
DROP INDEX `receipts_by_org_issue`;--> statement-breakpoint
DROP INDEX `receipts_reversing_issue`;--> statement-breakpoint
DROP INDEX `receipts_by_org_total`;--> statement-breakpoint
DROP INDEX `receipts_reversing_total`;--> statement-breakpoint
ALTER TABLE `receipts` ADD `simulated` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `receipts_by_org` ON `receipts` (`org_id`,`simulated`,`created_at`);--> statement-breakpoint
CREATE INDEX `receipts_reversing` ON `receipts` (`org_id`,`simulated`,`type`,`created_at`) WHERE "receipts"."type" <> 'sale';--> statement-breakpoint
CREATE INDEX `receipts_by_org_issue` ON `receipts` (`org_id`,`simulated`,`issued_at`);--> statement-breakpoint
CREATE INDEX `receipts_reversing_issue` ON `receipts` (`org_id`,`simulated`,`type`,`issued_at`) WHERE "receipts"."type" <> 'sale';--> statement-breakpoint
CREATE INDEX `receipts_by_org_total` ON `receipts` (`org_id`,`simulated`,`total_minor`);--> statement-breakpoint
CREATE INDEX `receipts_reversing_total` ON `receipts` (`org_id`,`simulated`,`type`,`total_minor`) WHERE "receipts"."type" <> 'sale';--> statement-breakpoint
DROP INDEX `reports_by_org`;--> statement-breakpoint
DROP INDEX `reports_by_type`;--> statement-breakpoint
ALTER TABLE `reports` ADD `simulated` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `reports_by_org` ON `reports` (`org_id`,`simulated`,`created_at`);--> statement-breakpoint
CREATE INDEX `reports_by_type` ON `reports` (`org_id`,`simulated`,`type`,`created_at`);--> statement-breakpoint
ALTER TABLE `commands` ADD `simulated` integer DEFAULT false NOT NULL;