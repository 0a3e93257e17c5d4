ALTER TABLE `commands` ADD `currency` text;--> statement-breakpoint
ALTER TABLE `commands` ADD `location_id` text;--> statement-breakpoint
ALTER TABLE `receipts` ADD `printer_serial_number` text;