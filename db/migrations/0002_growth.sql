DROP INDEX `receipts_by_fiscal_id`;--> statement-breakpoint
CREATE INDEX `receipts_by_fiscal_id` ON `receipts` (`device_id`,`fiscal_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `audit_entries_by_action` ON `audit_entries` (`action`,`at`);--> statement-breakpoint
CREATE INDEX `commands_by_type` ON `commands` (`org_id`,`type`,`created_at`);--> statement-breakpoint
CREATE INDEX `commands_by_final_status` ON `commands` (`org_id`,`status`,`created_at`) WHERE "commands"."finished_at" is not null;--> statement-breakpoint
CREATE INDEX `commands_by_final_change` ON `commands` (`org_id`,`updated_at`) WHERE "commands"."finished_at" is not null;--> statement-breakpoint
CREATE INDEX `refresh_tokens_by_expiry` ON `refresh_tokens` (`expires_at`);