DROP INDEX `sales_unnumbered`;--> statement-breakpoint
CREATE INDEX `sales_unnumbered` ON `receipts` (`org_id`,upper(trim(unique_sale_number)),`created_at`) WHERE "receipts"."type" = 'sale' and "receipts"."number_by" in ('none', 'person') and "receipts"."unique_sale_number" is not null;--> statement-breakpoint
ALTER TABLE `reversals` ADD `memory` text;--> statement-breakpoint
ALTER TABLE `reversals` ADD `z_number` text;
--> statement-breakpoint
UPDATE `reversals` SET (`memory`, `z_number`) = (
	SELECT
		nullif(CASE WHEN trim(`payload` ->> '$.fiscalMemorySerialNumber') GLOB '*[^0-9]*'
			THEN trim(`payload` ->> '$.fiscalMemorySerialNumber')
			ELSE ltrim(trim(`payload` ->> '$.fiscalMemorySerialNumber'), '0') END, ''),
		nullif(ltrim(coalesce(nullif(trim(`payload` ->> '$.originalZReportNumber'), ''),
			CASE WHEN trim(`payload` ->> '$.originalReceiptNumber') GLOB '[0-9]*-[0-9]*' AND trim(`payload` ->> '$.originalReceiptNumber') NOT GLOB '*[^0-9-]*'
				THEN substr(trim(`payload` ->> '$.originalReceiptNumber'), 1, instr(trim(`payload` ->> '$.originalReceiptNumber'), '-') - 1) END), '0'), '')
	FROM `commands` WHERE `commands`.`id` = `reversals`.`command_id` AND json_valid(`payload`)
) WHERE `command_id` IN (SELECT `id` FROM `commands` WHERE `type` = 'print_reversal_receipt' AND json_valid(`payload`));