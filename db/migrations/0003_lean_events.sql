CREATE TABLE `__new_events` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`org_id` text NOT NULL,
	`type` text NOT NULL,
	`subject_id` text NOT NULL,
	`data` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `__new_events`("seq", "id", "org_id", "type", "subject_id", "data", "created_at") SELECT "seq", "id", "org_id", "type", "subject_id", "data", "created_at" FROM `events`;--> statement-breakpoint
DROP TABLE `events`;--> statement-breakpoint
ALTER TABLE `__new_events` RENAME TO `events`;