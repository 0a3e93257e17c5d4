DROP INDEX `outcome_holds_settled`;--> statement-breakpoint
ALTER TABLE `outcome_holds` ADD `raised_order` integer;--> statement-breakpoint
ALTER TABLE `outcome_holds` ADD `resolved_order` integer;--> statement-breakpoint
UPDATE `outcome_holds` SET `resolved_order` = 0 WHERE `resolved_at` IS NOT NULL;--> statement-breakpoint
CREATE INDEX `outcome_holds_settled` ON `outcome_holds` (`resolved_order`,`resolved_at`);--> statement-breakpoint
ALTER TABLE `commands` ADD `sent_order` integer;--> statement-breakpoint
ALTER TABLE `commands` ADD `finished_order` integer;--> statement-breakpoint
CREATE INDEX `commands_told` ON `commands` (`device_id`,`seq`) WHERE "commands"."type" = 'get_last_receipt_info' and "commands"."status" = 'completed';--> statement-breakpoint
ALTER TABLE `document_checks` ADD `accepted_order` integer;