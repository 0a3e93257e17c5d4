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
ALTER TABLE `audit_entries` ADD `address` text;