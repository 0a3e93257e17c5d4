CREATE TABLE `document_checks` (
	`device_id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`fiscal_memory_serial_number` text,
	`serial_number` text,
	`address` text,
	`state` text NOT NULL,
	`raised_at` integer NOT NULL,
	`question_id` text,
	`number` integer,
	`accepted_at` integer,
	`documents` integer,
	`since` integer
);
--> statement-breakpoint
CREATE INDEX `document_checks_by_org` ON `document_checks` (`org_id`);