CREATE TABLE `alert_history` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`org_id` text NOT NULL,
	`device_id` text NOT NULL,
	`device_name` text NOT NULL,
	`type` text NOT NULL,
	`severity` text NOT NULL,
	`message` text NOT NULL,
	`command_id` text,
	`fiscal_id` text,
	`stands_open` integer,
	`detected_at` integer NOT NULL,
	`ended_at` integer,
	`ended_as` text,
	`ended_by` text
);
--> statement-breakpoint
CREATE INDEX `alert_history_by_org` ON `alert_history` (`org_id`,`seq`);--> statement-breakpoint
CREATE INDEX `alert_history_by_severity` ON `alert_history` (`org_id`,`severity`,`seq`);--> statement-breakpoint
CREATE INDEX `alert_history_by_device` ON `alert_history` (`org_id`,`device_id`,`seq`);--> statement-breakpoint
CREATE INDEX `alert_history_standing` ON `alert_history` (`org_id`,`seq`) WHERE "alert_history"."ended_at" is null;--> statement-breakpoint
CREATE INDEX `alert_history_to_end` ON `alert_history` (`device_id`,`type`) WHERE "alert_history"."ended_at" is null;--> statement-breakpoint
CREATE INDEX `alert_history_by_end` ON `alert_history` (`ended_at`) WHERE "alert_history"."ended_at" is not null;--> statement-breakpoint
INSERT INTO `alert_history` (`org_id`, `device_id`, `device_name`, `type`, `severity`, `message`, `command_id`, `fiscal_id`, `stands_open`, `detected_at`)
SELECT `devices`.`org_id`, `devices`.`id`, `devices`.`name`, `told`.`value` ->> 'type', `told`.`value` ->> 'severity', `told`.`value` ->> 'message', `told`.`value` ->> 'commandId', `told`.`value` ->> 'fiscalId', `told`.`value` ->> 'standsOpen', `told`.`value` ->> 'detectedAt'
FROM `told_alerts` JOIN `devices` ON `devices`.`id` = `told_alerts`.`device_id`, json_each(`told_alerts`.`alerts`) AS `told`;
