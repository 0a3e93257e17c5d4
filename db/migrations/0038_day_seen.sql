ALTER TABLE `closings` ADD `day_open_since` integer;--> statement-breakpoint
ALTER TABLE `closings` ADD `last_z_number` integer;