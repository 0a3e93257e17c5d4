CREATE TABLE `restored_printers` (
	`device_id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`fiscal_memory_serial_number` text,
	`serial_number` text,
	`address` text,
	`raised_at` integer NOT NULL,
	`state` text NOT NULL,
	`question_id` text
);
--> statement-breakpoint
CREATE INDEX `restored_printers_by_org` ON `restored_printers` (`org_id`);