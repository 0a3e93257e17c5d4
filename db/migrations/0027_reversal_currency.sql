ALTER TABLE `reversals` ADD `currency` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `reversals` SET `currency` = coalesce((SELECT "receipts"."currency" FROM `receipts` WHERE "receipts"."id" = `reversals`.`original_receipt_id`), '');
