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
CREATE INDEX `open_questions_by_org` ON `open_questions` (`org_id`);