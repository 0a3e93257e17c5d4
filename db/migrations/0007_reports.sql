CREATE TABLE `reports` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`org_id` text NOT NULL,
	`device_id` text NOT NULL,
	`location_id` text,
	`command_id` text NOT NULL,
	`type` text NOT NULL,
	`report_number` integer,
	`receipt_count` integer,
	`reversal_count` integer,
	`totals` text NOT NULL,
	`vat` text,
	`payments` text,
	`opened_at` integer,
	`closed_at` integer,
	`fiscal_memory_serial_number` text,
	`booked_at` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `reports_by_id` ON `reports` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `reports_by_command` ON `reports` (`command_id`);--> statement-breakpoint
CREATE INDEX `reports_by_org` ON `reports` (`org_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `reports_by_device` ON `reports` (`org_id`,`device_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `reports_by_type` ON `reports` (`org_id`,`type`,`created_at`);--> statement-breakpoint
CREATE INDEX `reports_by_device_and_type` ON `reports` (`org_id`,`device_id`,`type`,`created_at`);--> statement-breakpoint
CREATE INDEX `reports_by_booking` ON `reports` (`org_id`,`device_id`,`booked_at`,`id`);--> statement-breakpoint
CREATE INDEX `reports_by_closing` ON `reports` (`org_id`,`device_id`,`type`,`booked_at`,`id`);--> statement-breakpoint
CREATE INDEX `receipts_by_booking` ON `receipts` (`org_id`,`device_id`,case source when 'api' then issued_at else created_at end,`id`);