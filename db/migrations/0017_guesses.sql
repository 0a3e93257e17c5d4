CREATE TABLE `guesses` (
	`subject` text PRIMARY KEY NOT NULL,
	`account` text,
	`failures` integer NOT NULL,
	`last_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `guesses_by_account` ON `guesses` (`account`);--> statement-breakpoint
CREATE INDEX `guesses_by_time` ON `guesses` (`last_at`);--> statement-breakpoint
CREATE TABLE `known_addresses` (
	`user_id` text NOT NULL,
	`address` text NOT NULL,
	`last_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `address`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
