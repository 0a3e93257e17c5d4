CREATE TABLE `events` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`org_id` text NOT NULL,
	`type` text NOT NULL,
	`subject_id` text NOT NULL,
	`data` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `events_by_org` ON `events` (`org_id`,`seq`);--> statement-breakpoint
ALTER TABLE `commands` ADD `epoch` integer DEFAULT 0 NOT NULL;