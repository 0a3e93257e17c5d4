CREATE TABLE `told_alerts` (
	`device_id` text PRIMARY KEY NOT NULL,
	`alerts` text NOT NULL
);
