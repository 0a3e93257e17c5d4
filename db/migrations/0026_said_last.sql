DROP INDEX `outcome_holds_by_org`;--> statement-breakpoint
DROP INDEX `outcome_holds_by_device`;--> statement-breakpoint
CREATE INDEX `outcome_holds_settled` ON `outcome_holds` (`resolved_at`);