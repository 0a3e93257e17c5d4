CREATE TABLE `closings` (
	`device_id` text PRIMARY KEY NOT NULL,
	`seen_closed_at` integer,
	`made_for_date` text,
	`made_for_day` integer,
	`command_id` text
);
--> statement-breakpoint
ALTER TABLE `organizations` ADD `closing_time` text;--> statement-breakpoint
ALTER TABLE `organizations` ADD `closing_automatic` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `organizations` ADD `closing_set_at` integer DEFAULT 0 NOT NULL;