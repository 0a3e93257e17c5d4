ALTER TABLE `outcome_holds` ADD `fiscal_memory_serial_number` text;--> statement-breakpoint
ALTER TABLE `outcome_holds` ADD `serial_number` text;--> statement-breakpoint
ALTER TABLE `outcome_holds` ADD `address` text;--> statement-breakpoint
CREATE INDEX `outcome_holds_by_device` ON `outcome_holds` (`device_id`,`resolved_at`);