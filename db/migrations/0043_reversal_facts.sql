DROP INDEX `stornos_uncounted`;
--> statement-breakpoint
DROP INDEX `sales_unnumbered`;
--> statement-breakpoint
ALTER TABLE `receipts` ADD `number_by` text DEFAULT 'printer' NOT NULL;
--> statement-breakpoint
UPDATE `receipts` SET `number_by` = 'till' WHERE `source` = 'api';
--> statement-breakpoint
UPDATE `receipts` SET `number_by` = 'none' WHERE `source` = 'command' AND `fiscal_id` IS NULL AND `receipt_number` IS NULL;
--> statement-breakpoint
UPDATE `receipts` SET `number_by` = 'none' WHERE `command_id` IN (
	SELECT `command_id` FROM `outcome_holds` WHERE `outcome` = 'printed' AND `fiscal_id` IS NULL
);
--> statement-breakpoint
UPDATE `receipts` SET `number_by` = 'person' WHERE `command_id` IN (
	SELECT `command_id` FROM `outcome_holds` WHERE `outcome` = 'printed' AND `fiscal_id` IS NOT NULL
);
--> statement-breakpoint
UPDATE `receipts` SET `number_by` = (
	SELECT CASE WHEN `result` ->> '$.fiscalId' IS NULL THEN 'none' ELSE 'person' END
	FROM `commands` WHERE `commands`.`id` = `receipts`.`command_id`
) WHERE `number_by` = 'printer' AND `command_id` IN (
	SELECT `id` FROM `commands`
	WHERE instr(`result`, '"settledBy"') > 0 AND json_valid(`result`) AND `result` ->> '$.data.settledBy' IS NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sales_unnumbered` ON `receipts` (`org_id`,upper(trim(unique_sale_number))) WHERE "receipts"."type" = 'sale' and "receipts"."number_by" in ('none', 'person') and "receipts"."unique_sale_number" is not null;
--> statement-breakpoint
CREATE TABLE `__new_reversals` (
	`command_id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`accepted_for` text,
	`is_sure` integer NOT NULL,
	`number` text,
	`named_at` integer,
	`sale_number` text,
	`items` text,
	`amount_minor` integer,
	`currency` text,
	`stands` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `__new_reversals`
SELECT s.`command_id`, s.`org_id`, s.`accepted_for`,
	coalesce(sale.`number_by` IN ('printer', 'till') AND s.`number` IN (
			ltrim(CASE WHEN trim(sale.`fiscal_id`) GLOB '[0-9]*-[0-9]*' AND trim(sale.`fiscal_id`) NOT GLOB '*[^0-9-]*' THEN substr(trim(sale.`fiscal_id`), instr(trim(sale.`fiscal_id`), '-') + 1) ELSE trim(sale.`fiscal_id`) END, '0'),
			ltrim(CASE WHEN trim(sale.`receipt_number`) GLOB '[0-9]*-[0-9]*' AND trim(sale.`receipt_number`) NOT GLOB '*[^0-9-]*' THEN substr(trim(sale.`receipt_number`), instr(trim(sale.`receipt_number`), '-') + 1) ELSE trim(sale.`receipt_number`) END, '0')
		) OR s.`number` = sale.`id`, 0),
	s.`number`, s.`named_at`, s.`sale_number`, s.`items`, s.`amount_minor`, s.`currency`, s.`stands`
FROM (
	SELECT c.`id` AS `command_id`, c.`org_id`,
		coalesce(r.`original_receipt_id`, CASE WHEN linked.`number_by` <> 'none' THEN linked.`id` END) AS `accepted_for`,
		CASE WHEN c.`type` = 'print_reversal_receipt' THEN ltrim(CASE WHEN trim(c.`payload` ->> '$.originalReceiptNumber') GLOB '[0-9]*-[0-9]*' AND trim(c.`payload` ->> '$.originalReceiptNumber') NOT GLOB '*[^0-9-]*' THEN substr(trim(c.`payload` ->> '$.originalReceiptNumber'), instr(trim(c.`payload` ->> '$.originalReceiptNumber'), '-') + 1) ELSE trim(c.`payload` ->> '$.originalReceiptNumber') END, '0')
			WHEN c.`status` <> 'pending' THEN ltrim(CASE WHEN trim(coalesce(voided.`receipt_number`, voided.`fiscal_id`)) GLOB '[0-9]*-[0-9]*' AND trim(coalesce(voided.`receipt_number`, voided.`fiscal_id`)) NOT GLOB '*[^0-9-]*' THEN substr(trim(coalesce(voided.`receipt_number`, voided.`fiscal_id`)), instr(trim(coalesce(voided.`receipt_number`, voided.`fiscal_id`)), '-') + 1) ELSE trim(coalesce(voided.`receipt_number`, voided.`fiscal_id`)) END, '0') END AS `number`,
		CASE WHEN c.`type` = 'print_reversal_receipt'
			THEN coalesce(1000 * unixepoch(c.`payload` ->> '$.originalReceiptDateTime'), c.`created_at`)
			ELSE voided.`issued_at` END AS `named_at`,
		nullif(upper(trim(CASE WHEN c.`type` = 'print_reversal_receipt'
			THEN c.`payload` ->> '$.uniqueSaleNumber' ELSE voided.`unique_sale_number` END)), '') AS `sale_number`,
		r.`items`, r.`amount_minor`, r.`currency`,
		CASE WHEN p.`id` IS NOT NULL THEN 1 WHEN r.`command_id` IS NOT NULL THEN r.`stands`
			ELSE c.`status` IN ('pending', 'sent', 'processing') OR EXISTS (
				SELECT 1 FROM `outcome_holds` h WHERE h.`command_id` = c.`id` AND h.`resolved_at` IS NULL
			) END AS `stands`
	FROM (
		SELECT `id`, `org_id`, `type`, `status`, `created_at`, CASE WHEN json_valid(`payload`) THEN `payload` END AS `payload`
		FROM `commands` WHERE `type` IN ('print_reversal_receipt', 'void_receipt')
	) c
	LEFT JOIN `reversals` r ON r.`command_id` = c.`id`
	LEFT JOIN `receipts` p ON p.`command_id` = c.`id`
	LEFT JOIN `receipts` linked ON linked.`id` = p.`original_receipt_id`
	LEFT JOIN `receipts` voided ON voided.`id` = r.`original_receipt_id`
) s
LEFT JOIN `receipts` sale ON sale.`id` = s.`accepted_for`;
--> statement-breakpoint
INSERT INTO `__new_reversals`
SELECT r.`command_id`, r.`org_id`, r.`original_receipt_id`, 1, NULL, NULL, NULL, r.`items`, r.`amount_minor`, r.`currency`,
	CASE WHEN EXISTS (SELECT 1 FROM `receipts` p WHERE p.`command_id` = r.`command_id`) THEN 1 ELSE r.`stands` END
FROM `reversals` r
WHERE NOT EXISTS (SELECT 1 FROM `commands` c WHERE c.`id` = r.`command_id`);
--> statement-breakpoint
DROP TABLE `reversals`;
--> statement-breakpoint
ALTER TABLE `__new_reversals` RENAME TO `reversals`;
--> statement-breakpoint
CREATE INDEX `reversals_standing` ON `reversals` (`accepted_for`) WHERE "reversals"."stands" = 1;
--> statement-breakpoint
CREATE INDEX `reversals_by_number` ON `reversals` (`org_id`,`number`,`named_at`) WHERE "reversals"."stands" = 1 and "reversals"."is_sure" = 0 and "reversals"."number" is not null;
--> statement-breakpoint
CREATE INDEX `reversals_by_sale_number` ON `reversals` (`org_id`,`sale_number`,`named_at`) WHERE "reversals"."stands" = 1 and "reversals"."is_sure" = 0 and "reversals"."sale_number" is not null;