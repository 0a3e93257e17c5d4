CREATE INDEX `audit_entries_by_actor` ON `audit_entries` (`org_id`,`actor`,`seq`);--> statement-breakpoint
CREATE INDEX `audit_entries_of_org_by_action` ON `audit_entries` (`org_id`,`action`,`seq`);