CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`hash` text NOT NULL,
	`prefix` text NOT NULL,
	`last4` text NOT NULL,
	`label` text NOT NULL,
	`scopes` text NOT NULL,
	`active` integer NOT NULL,
	`created_at` integer NOT NULL,
	`last_used` integer,
	`expires_at` integer,
	`rotated_from_id` text,
	`rotated_to_id` text,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash_unique` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_by_org` ON `api_keys` (`org_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `appliance_values` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `audit_entries` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`org_id` text NOT NULL,
	`at` integer NOT NULL,
	`actor` text NOT NULL,
	`action` text NOT NULL,
	`resource` text NOT NULL,
	`details` text
);
--> statement-breakpoint
CREATE INDEX `audit_entries_by_org` ON `audit_entries` (`org_id`,`seq`);--> statement-breakpoint
CREATE TABLE `commands` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`org_id` text NOT NULL,
	`device_id` text NOT NULL,
	`type` text NOT NULL,
	`payload` text NOT NULL,
	`status` text NOT NULL,
	`source` text NOT NULL,
	`api_key_id` text,
	`requested_by` text,
	`idempotency_key` text,
	`controller_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`sent_at` integer,
	`processing_at` integer,
	`finished_at` integer,
	`expires_at` integer NOT NULL,
	`mark` text,
	`baseline` text,
	`result` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `commands_by_id` ON `commands` (`id`);--> statement-breakpoint
CREATE INDEX `commands_unfinished` ON `commands` (`device_id`,`status`,`seq`) WHERE "commands"."finished_at" is null;--> statement-breakpoint
CREATE INDEX `commands_by_org` ON `commands` (`org_id`,`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `commands_by_device` ON `commands` (`org_id`,`device_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `devices` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`name` text NOT NULL,
	`driver` text NOT NULL,
	`transport` text NOT NULL,
	`location_id` text NOT NULL,
	`connection_params` text NOT NULL,
	`managed_by` text NOT NULL,
	`controller_id` text,
	`controller_name` text,
	`stored_status` text NOT NULL,
	`last_seen_at` integer,
	`serial_number` text,
	`fiscal_memory_serial_number` text,
	`model` text,
	`firmware_version` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `devices_by_org` ON `devices` (`org_id`);--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`org_id` text NOT NULL,
	`key` text NOT NULL,
	`http_status` integer NOT NULL,
	`body` text NOT NULL,
	`request_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`org_id`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_by_expiry` ON `idempotency_keys` (`expires_at`);--> statement-breakpoint
CREATE TABLE `organizations` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`currency` text NOT NULL,
	`timezone` text NOT NULL,
	`plan` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `outcome_holds` (
	`command_id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`device_id` text NOT NULL,
	`raised_at` integer NOT NULL,
	`resolved_at` integer,
	`outcome` text,
	`fiscal_id` text,
	`resolved_by` text
);
--> statement-breakpoint
CREATE INDEX `outcome_holds_open` ON `outcome_holds` (`device_id`) WHERE "outcome_holds"."resolved_at" is null;--> statement-breakpoint
CREATE INDEX `outcome_holds_by_org` ON `outcome_holds` (`org_id`);--> statement-breakpoint
CREATE TABLE `receipts` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`device_id` text NOT NULL,
	`location_id` text,
	`command_id` text,
	`api_key_id` text,
	`type` text NOT NULL,
	`fiscal_id` text,
	`receipt_number` text,
	`unique_sale_number` text,
	`fiscal_memory_serial_number` text,
	`z_report_number` text,
	`issued_at` integer NOT NULL,
	`currency` text NOT NULL,
	`items` text NOT NULL,
	`subtotal_modifiers` text NOT NULL,
	`payments` text NOT NULL,
	`total_minor` integer NOT NULL,
	`customer_cif` text,
	`original_receipt_id` text,
	`source` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `receipts_by_command` ON `receipts` (`command_id`);--> statement-breakpoint
CREATE INDEX `receipts_by_fiscal_id` ON `receipts` (`device_id`,`fiscal_id`);--> statement-breakpoint
CREATE INDEX `receipts_by_org` ON `receipts` (`org_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `refresh_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`rotated_at` integer,
	FOREIGN KEY (`session_id`) REFERENCES `user_sessions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `refresh_tokens_by_session` ON `refresh_tokens` (`session_id`);--> statement-breakpoint
CREATE TABLE `user_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `user_sessions_by_user` ON `user_sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `user_sessions_by_expiry` ON `user_sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`password_hash` text,
	`active` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`last_login_at` integer,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);--> statement-breakpoint
CREATE INDEX `users_by_org` ON `users` (`org_id`);