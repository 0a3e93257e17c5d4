CREATE TABLE `connection_events` (
	`seq` integer PRIMARY KEY NOT NULL,
	`device_id` text NOT NULL,
	`type` text NOT NULL,
	`at` integer NOT NULL,
	`device_model` text NOT NULL,
	`app_version` text NOT NULL,
	`os_version` text NOT NULL,
	`code` integer,
	`reason` text
);
--> statement-breakpoint
CREATE INDEX `connection_events_by_device` ON `connection_events` (`device_id`,`seq`);--> statement-breakpoint
CREATE TABLE `controllers` (
	`org_id` text NOT NULL,
	`controller_id` text NOT NULL,
	`name` text,
	`location_id` text,
	`app_version` text,
	`device_model` text,
	`os_version` text,
	`connected_at` integer,
	`fcm_token` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`org_id`, `controller_id`)
);
--> statement-breakpoint
CREATE TABLE `locations` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`name` text NOT NULL,
	`address` text,
	`timezone` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `locations_by_org` ON `locations` (`org_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `open_questions` (
	`command_id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`device_id` text NOT NULL,
	`fiscal_memory_serial_number` text,
	`serial_number` text,
	`address` text,
	`raised_at` integer NOT NULL,
	`controller_id` text,
	`epoch` integer NOT NULL,
	`baseline` text
);
--> statement-breakpoint
CREATE INDEX `open_questions_by_org` ON `open_questions` (`org_id`);--> statement-breakpoint
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
CREATE TABLE `password_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `password_codes_by_user` ON `password_codes` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `password_codes_by_expiry` ON `password_codes` (`expires_at`);--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`webhook_id` text NOT NULL,
	`org_id` text NOT NULL,
	`event_type` text NOT NULL,
	`payload` text NOT NULL,
	`status` text NOT NULL,
	`attempt` integer NOT NULL,
	`http_status` integer,
	`response_body` text,
	`error` text,
	`attempted_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_webhook` ON `webhook_deliveries` (`webhook_id`,`seq`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_status` ON `webhook_deliveries` (`webhook_id`,`status`,`seq`);--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`url` text NOT NULL,
	`description` text,
	`events` text NOT NULL,
	`enabled` integer NOT NULL,
	`failure_count` integer NOT NULL,
	`last_delivery_at` integer,
	`last_delivery_status` text,
	`secret` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhooks_by_org` ON `webhooks` (`org_id`,`created_at`);--> statement-breakpoint
DROP INDEX `receipts_by_fiscal_id`;--> statement-breakpoint
CREATE INDEX `receipts_by_original` ON `receipts` (`original_receipt_id`) WHERE "receipts"."original_receipt_id" is not null;--> statement-breakpoint
CREATE INDEX `receipts_by_booking` ON `receipts` (`org_id`,`device_id`,case source when 'api' then issued_at else created_at end,`id`);--> statement-breakpoint
CREATE INDEX `receipts_by_device` ON `receipts` (`org_id`,`device_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `receipts_reversing` ON `receipts` (`org_id`,`type`,`created_at`) WHERE "receipts"."type" <> 'sale';--> statement-breakpoint
CREATE INDEX `receipts_by_org_issue` ON `receipts` (`org_id`,`issued_at`);--> statement-breakpoint
CREATE INDEX `receipts_by_device_issue` ON `receipts` (`org_id`,`device_id`,`issued_at`);--> statement-breakpoint
CREATE INDEX `receipts_reversing_issue` ON `receipts` (`org_id`,`type`,`issued_at`) WHERE "receipts"."type" <> 'sale';--> statement-breakpoint
CREATE INDEX `receipts_by_org_total` ON `receipts` (`org_id`,`total_minor`);--> statement-breakpoint
CREATE INDEX `receipts_by_device_total` ON `receipts` (`org_id`,`device_id`,`total_minor`);--> statement-breakpoint
CREATE INDEX `receipts_reversing_total` ON `receipts` (`org_id`,`type`,`total_minor`) WHERE "receipts"."type" <> 'sale';--> statement-breakpoint
CREATE INDEX `receipts_by_fiscal_id` ON `receipts` (`org_id`,`fiscal_id`,`device_id`,`created_at`);--> statement-breakpoint
ALTER TABLE `audit_entries` ADD `address` text;