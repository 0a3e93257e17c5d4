/** Table of rules: devices, their addresses and their alerts. */

import type { Section } from "../rule.ts";

export const DEVICES: readonly Section[] = [
  {
    of: "decisions",
    title: "Devices",
    code: "DEVICE",
    rules: [
      {
        id: "DEVICE-01",
        rule: "`GET /devices/{deviceId}` and `PATCH /devices/{deviceId}` answer the device's record",
        by: [
          "src/modules/devices/devices.test.ts > changing a device > takes name, location and parameters of its own transport",
        ],
      },
      {
        id: "DEVICE-02",
        rule: "A device also shows `effectiveStatus`, `lastSeen`, `serialNumber`, `fiscalMemorySerialNumber`, `model` and `firmwareVersion`, null until they are known",
        by: [
          "src/modules/devices/devices.test.ts > registering a device > answers the whole record, offline and unassigned",
        ],
      },
      {
        id: "DEVICE-03",
        rule: "`status` is `busy` while a command runs on the device, `error` while it needs somebody, else `online` or `offline` by its link",
        by: [
          "src/modules/devices/devices.test.ts > status > is error while the device needs somebody, and busy while a command runs on it",
          "src/core/device/alerts.test.ts > connectivity > is refined by what runs and by what blocks, but not by being out of reach",
        ],
      },
      {
        id: "DEVICE-04",
        rule: "`effectiveStatus` is only ever `online` or `offline`",
        by: [
          "src/core/device/alerts.test.ts > connectivity > is online only with both the controller's socket and the device's link",
        ],
      },
      {
        id: "DEVICE-05",
        rule: "A device that the appliance reaches belongs to the controller `builtin`, which announces it like any other",
        by: [
          "src/e2e/unreached.test.ts > says why in its status, its alert, the log and what times out",
          "src/controller/runtime.test.ts > a device of the built-in controller > is announced when its line is up, with what it says of itself",
        ],
      },
      {
        id: "DEVICE-06",
        rule: "`managedBy` is `builtin` unless said otherwise, and `remote` for Bluetooth where the appliance has no adapter",
        by: [
          "src/modules/devices/devices.test.ts > registering a device > takes what each transport needs and drops the rest",
          "src/modules/devices/devices.test.ts > registering a device > answers the whole record, offline and unassigned",
        ],
      },
      {
        id: "DEVICE-07",
        rule: "A Bluetooth address is `AA:BB:CC:DD:EE:FF`, with `#channel` if wanted",
        by: [
          "src/modules/devices/devices.test.ts > registering a device > takes what each transport needs and drops the rest",
          "src/modules/devices/devices.test.ts > registering a device > refuses a wrong %s [connectionParams.address]",
        ],
      },
      {
        id: "DEVICE-08",
        rule: "A serial address is a path, with `baud`, `parity`, `dataBits`, `stopBits` and `flow` if wanted",
        by: [
          "src/core/device/serial-address.test.ts > a serial address > may name every setting of the line",
          "src/core/device/serial-address.test.ts > a serial address > such as %p is refused for its %s",
        ],
      },
      {
        id: "DEVICE-09",
        rule: "Of the devices that `builtin` serves no two have one address: 409, whatever their organizations",
        by: [
          "src/modules/devices/addresses.test.ts > an address that a device has > is refused to another organization, which is not told whose it is",
          "src/modules/devices/addresses.test.ts > an address that a device has > is refused to a device that moves there, and to one that the appliance is to serve",
          "src/modules/devices/addresses.test.ts > an address that a device has > is refused to all but one that ask at the same time",
          "src/modules/devices/addresses.test.ts > an address that a device has > is refused to all but one that ask at the same time for its spellings > by registering",
          "src/modules/devices/addresses.test.ts > an address that a device has > is refused to all but one that ask at the same time for its spellings > by moving there",
          "src/modules/devices/addresses.test.ts > an address that a device has > is refused to all but one that ask at the same time for its spellings > by coming under the appliance's own",
          "src/modules/devices/addresses.test.ts > an address that a device has > is refused to all but one that ask at the same time for its spellings > by registering and by moving",
        ],
      },
      {
        id: "DEVICE-10",
        rule: "Names of hosts are looked up, and ports known by their real path",
        by: [
          "src/modules/devices/addresses.test.ts > an address that a device has > is refused as %p",
          "src/modules/devices/addresses.test.ts > an address that a device has > of a serial port is known by its real path, whatever the settings",
        ],
      },
      {
        id: "DEVICE-11",
        rule: "The refusal never names a device of another organization",
        by: [
          "src/modules/devices/addresses.test.ts > an address that a device has > is refused to another organization, which is not told whose it is",
        ],
      },
      {
        id: "DEVICE-12",
        rule: "Of two addresses at which one serial number answers, the one that is up stays up; the other stays down with the reason",
        by: [
          "src/e2e/same-printer.test.ts > the record that is up stays up, the other one stays down and says why",
        ],
      },
      {
        id: "DEVICE-13",
        rule: "A serial number that was never given is not compared",
        by: [
          "src/core/device/printer.test.ts > two of which something is known are one printer > %s [not by a number that was never given]",
        ],
      },
      {
        id: "DEVICE-14",
        rule: "A new device is taken by `builtin` right behind the 201, which shows no controller",
        by: [
          "src/e2e/unreached.test.ts > says why in its status, its alert, the log and what times out",
          "src/modules/devices/devices.test.ts > registering a device > answers the whole record, offline and unassigned",
        ],
      },
      {
        id: "DEVICE-15",
        rule: "A release sets `managedBy` to `remote`",
        by: [
          "src/modules/devices/release.test.ts > releasing a device > takes it from the controller, which is told, until one announces it again",
          "src/modules/devices/release.test.ts > releasing a device > takes it from the built-in controller, until it is to serve it again",
        ],
      },
      {
        id: "DEVICE-16",
        rule: "While it was never reached, status, alert, log and a command that times out tell the reason in words",
        by: [
          "src/e2e/unreached.test.ts > says why in its status, its alert, the log and what times out",
        ],
      },
      {
        id: "DEVICE-17",
        rule: "`connectionParams` takes a `profile`",
        by: [
          "src/core/device/connection-params.test.ts > connection parameters > of %s may name a profile, and keep nothing else",
          "src/e2e/custom-profile.test.ts > profiles in the state directory > drive the devices that name them",
        ],
      },
      {
        id: "DEVICE-18",
        rule: "`E200` takes answers that prove another protocol; silence, refusals and faults of the line are `E100` to `E102`",
        by: [
          "drivers/unidentified.test.ts > %s, connecting to what > %s, tells a fault of the line, which is tried again",
          "drivers/unidentified.test.ts > %s, connecting to what > speaks another protocol, tells so: %j",
          "drivers/contract.test.ts > over %s > a device of ${kind.driver}, ${kind.model} > <title> [is none of any other driver's, which tell so in time]",
        ],
      },
      {
        id: "DEVICE-19",
        rule: "`POST /devices/detect` needs `devices:write`, looks where and with which drivers it is told, and answers `found` and `tried`",
        by: [
          "src/modules/devices/detect.test.ts > POST /devices/detect > looks where it is told, with the drivers it is told, for the one who asks",
          "src/modules/devices/detect.test.ts > POST /devices/detect > is for those who may change devices",
          "src/e2e/detect.test.ts > over HTTP > finds a device of %s at a host, takes it as told, and leaves it alone then",
        ],
      },
      {
        id: "DEVICE-20",
        rule: "What is found can be registered as it stands",
        by: [
          "src/modules/devices/detect.test.ts > POST /devices/detect > tells of something that registering takes as it is",
        ],
      },
      {
        id: "DEVICE-21",
        rule: "It is 409 while another search runs",
        by: [
          "src/modules/devices/detect.test.ts > POST /devices/detect > does not begin while another search runs, and does again when that is over",
        ],
      },
      {
        id: "DEVICE-22",
        rule: "By `Accept: application/x-ndjson` it tells its progress as lines",
        by: [
          "src/modules/devices/detect.test.ts > POST /devices/detect as lines > tells each question and at last the result",
        ],
      },
      {
        id: "DEVICE-23",
        rule: "`GET /devices/{deviceId}/trace` needs `devices:write` and shows the line decoded, the `last` entries of it",
        by: [
          "src/modules/devices/trace.test.ts > GET /devices/{id}/trace > answers what is kept, as documented",
          "src/modules/devices/trace.test.ts > GET /devices/{id}/trace > is for those who look after the device, not for everybody who may see it",
        ],
      },
      {
        id: "DEVICE-24",
        rule: "With `follow` it goes on",
        by: [
          "src/modules/devices/trace.test.ts > GET /devices/{id}/trace > follows the line from what is kept until the device goes",
          "src/e2e/line-monitor.test.ts > a receipt on %s > is shown frame by frame, over the API and at the box, without the password",
        ],
      },
      {
        id: "DEVICE-25",
        rule: "It works for devices of remote controllers, through their link",
        by: [
          "src/gateway/ownership.test.ts > what a remote controller is asked besides commands > shows what passes on a line for as long as somebody looks",
        ],
      },
      {
        id: "DEVICE-26",
        rule: "`GET /devices/ports` needs `devices:read` and lists the serial ports with their USB vendor, product and serial number",
        by: [
          "src/modules/devices/ports.test.ts > GET /devices/ports lists the serial ports of the appliance",
        ],
      },
      {
        id: "DEVICE-27",
        rule: "Removing a device fails its commands that are not final with `E903`; a document with a mark is `unknown`",
        by: [
          "src/modules/devices/devices.test.ts > removing a device > ends its commands in the same step and frees its place in the plan",
          "src/queue/device-end.test.ts > deleting a device fails what was not finished on it",
        ],
      },
      {
        id: "DEVICE-28",
        rule: "On `custom.serial` a `fiscalId` is `ZZZZ-NNNN`, because numbers begin anew with each day",
        by: [
          "drivers/custom-serial/commands.test.ts > a document is known by the day's number and its own within that day",
        ],
      },
      {
        id: "DEVICE-29",
        rule: "On `custom.serial` `raw_command.command` is 0 to 9999",
        by: ["drivers/custom-serial/commands.test.ts > a raw command has four digits"],
      },
      {
        id: "DEVICE-30",
        rule: "On `custom.serial` subtotal modifiers are spread over the VAT groups",
        by: [
          "drivers/custom-serial/plan.test.ts > a sale > spreads a discount over the VAT groups in proportion, to the cent",
          "src/core/spread.test.ts > an amount > is spread exactly, and never beyond a weight",
        ],
      },
      {
        id: "DEVICE-31",
        rule: "`POST /devices/simulated` is for admins and makes a printer that the gateway simulates: 201 with its record, which says `simulated: true`",
        by: [
          "src/e2e/simulated-printer.test.ts > a simulated printer > prints a sale on paper that says it is none, and stands in no list that does not ask",
          "src/e2e/simulated-printer.test.ts > a simulated printer > is nothing that a stranger sees, or a key or an operator may make",
        ],
      },
      {
        id: "DEVICE-40",
        rule: "`model` names one of the driver's simulated models, of which it is for good; 400 with their names for any other",
        by: [
          "src/e2e/simulated-printer.test.ts > a simulated printer > is of the model that is named, and stays so",
          "src/e2e/simulated-printer.test.ts > a simulated printer > of %s is no %s",
        ],
      },
      {
        id: "DEVICE-41",
        rule: "Another printer at a device's address stays down with the reason and prints nothing, until its own is back or an owner says `POST /devices/{deviceId}/accept-printer`",
        by: [
          "src/e2e/other-printer.test.ts > another printer at its address > prints nothing, and is told of, until this one is back",
          "src/e2e/other-printer.test.ts > an owner accepts the printer that stands there > and what waited prints on it",
          "src/e2e/other-printer.test.ts > an owner accepts the printer that stands there > once, however often that is said at the same time",
        ],
      },
      {
        id: "DEVICE-32",
        rule: "It is counted by no plan; an organization has ten at most",
        by: [
          "src/e2e/simulated-printer.test.ts > a simulated printer > is counted by no plan, of which there are so many",
        ],
      },
      {
        id: "DEVICE-33",
        rule: "It has no address: none can be registered there, it is neither moved nor released, and no controller announces it",
        by: [
          "src/e2e/simulated-printer.test.ts > a simulated printer > has no address: none can be registered there, and it never gets another",
          "src/gateway/ownership.test.ts > a device that a controller announces > is nobody's but the gateway's own where it is a simulated one",
        ],
      },
      {
        id: "DEVICE-34",
        rule: "It is no other printer, whatever numbers it tells",
        by: [
          "src/e2e/simulated-printer.test.ts > a simulated printer > has nothing to do with a real printer of the same numbers",
          "src/core/device/printer.test.ts > a simulated printer is its record, whatever numbers it tells",
        ],
      },
      {
        id: "DEVICE-35",
        rule: "`GET /devices/{deviceId}/paper` shows the last documents as SVG or text, each of which says that it is none",
        by: [
          "src/e2e/simulated-printer.test.ts > a simulated printer > prints a sale on paper that says it is none, and stands in no list that does not ask",
        ],
      },
      {
        id: "DEVICE-36",
        rule: "`POST /devices/{deviceId}/faults` takes the kinds of the control port, and `DELETE /devices/{deviceId}/faults` takes all of them back",
        by: [
          "src/e2e/simulated-printer.test.ts > a simulated printer > runs out of paper, says so, and prints on when the faults are taken back",
          "src/e2e/simulated-printer.test.ts > a simulated printer > takes every kind of fault, and names what is wrong with one",
        ],
      },
      {
        id: "DEVICE-37",
        rule: "Its memory outlives the gateway and its own process, and goes with its record",
        by: [
          "src/e2e/simulated-printer.test.ts > whatever becomes of the processes > the gateway killed in a receipt: printed once, or not at all and said so",
          "src/e2e/simulated-printer.test.ts > whatever becomes of the processes > the gateway killed after one: the printer knows it, and the next has the next number",
          "src/e2e/simulated-printer.test.ts > whatever becomes of the processes > the printers killed: they are started again, and go on",
          "src/e2e/simulated-printer.test.ts > a simulated printer > leaves nothing behind when it is deleted but the receipts, which say what they are",
          "src/e2e/simulated-printer.test.ts > a simulated printer > is removed at the box too, and with the last one goes their process",
        ],
      },
      {
        id: "DEVICE-38",
        rule: "Commands, receipts and reports of it say `simulated: true`; lists, sums and exports of receipts and reports leave them out unless `simulated=true` asks for them alone, or the device is named",
        by: [
          "src/e2e/simulated-printer.test.ts > a simulated printer > prints a sale on paper that says it is none, and stands in no list that does not ask",
          "src/e2e/simulated-printer.test.ts > a simulated printer > is sold on, reports and is added up as any other, where it is asked for",
        ],
      },
      {
        id: "DEVICE-39",
        rule: "`PATCH /devices/{deviceId}` also takes `driver` and `transport`; another driver is 409 while a command is at the device, and `device.updated` of the audit log tells `changes` from what to what",
        by: [
          "src/modules/devices/devices.test.ts > changing how a device is talked to > does not take another driver while a command is at the device",
          "src/modules/devices/devices.test.ts > changing how a device is talked to > gives a simulated printer no other driver",
          "src/modules/devices/devices.test.ts > changing how a device is talked to > takes another driver and another transport, and the audit log says from what to what",
        ],
      },
    ],
  },
  {
    of: "decisions",
    title: "Alerts",
    code: "RAISE",
    rules: [
      {
        id: "RAISE-01",
        rule: "`paper_low` is a warning",
        by: ["src/core/device/alerts.test.ts > alerts of a device > include %s [paper_low]"],
      },
      {
        id: "RAISE-02",
        rule: "`paper_out` is an error",
        by: ["src/core/device/alerts.test.ts > alerts of a device > include %s [paper_out]"],
      },
      {
        id: "RAISE-03",
        rule: "`cover_open` is an error",
        by: ["src/core/device/alerts.test.ts > alerts of a device > include %s [cover_open]"],
      },
      {
        id: "RAISE-04",
        rule: "`device_disconnected` is an error, of a device that has a controller and whose link is down",
        by: [
          "src/core/device/alerts.test.ts > alerts of a device > tell a missing controller from a device that does not answer",
          "src/e2e/unreached.test.ts > says why in its status, its alert, the log and what times out",
        ],
      },
      {
        id: "RAISE-05",
        rule: "`device_unassigned` is an info, of a device without a controller",
        by: [
          "src/core/device/alerts.test.ts > alerts of a device > tell a missing controller from a device that does not answer",
          "src/modules/devices/devices.test.ts > alerts > tell of the device with its name, filtered by severity",
        ],
      },
      {
        id: "RAISE-06",
        rule: "`fiscal_memory_near_full` is a warning",
        by: [
          "src/core/device/alerts.test.ts > alerts of a device > include %s [fiscal_memory_near_full]",
        ],
      },
      {
        id: "RAISE-07",
        rule: "`fiscal_memory_full` is an error",
        by: [
          "src/core/device/alerts.test.ts > alerts of a device > include %s [fiscal_memory_full]",
        ],
      },
      {
        id: "RAISE-08",
        rule: "`z_report_overdue` is a warning once the fiscal day is open for 24 hours, or the device demands the report",
        by: [
          "src/core/device/alerts.test.ts > alerts of a device > ask for the Z report once the fiscal day has been open for 24 hours",
          "src/core/device/alerts.test.ts > alerts of a device > include %s [z_report_overdue]",
        ],
      },
      {
        id: "RAISE-09",
        rule: "`clock_drift` is a warning when the device's clock is more than 5 minutes off",
        by: [
          "src/core/device/alerts.test.ts > alerts of a device > tell of a clock that is wrong by more than five minutes, either way",
        ],
      },
      {
        id: "RAISE-10",
        rule: "`hardware_error` is an error",
        by: ["src/core/device/alerts.test.ts > alerts of a device > include %s [hardware_error]"],
      },
      {
        id: "RAISE-11",
        rule: "`outcome_unknown` is an error and names the command",
        by: [
          "src/modules/devices/devices.test.ts > alerts > stand for outcomes nobody has settled",
          "src/core/device/alerts.test.ts > alerts of a device > name the command that they speak of, and none where it is the device itself",
        ],
      },
      {
        id: "RAISE-12",
        rule: "`state_restored` is an error until an owner accepts the state",
        by: [
          "src/e2e/restored-state.test.ts > on a printer of each kind > prints nothing again before an owner accepts that the printer has gone on",
        ],
      },
      {
        id: "RAISE-13",
        rule: "`late_result` is a warning for 24 hours",
        by: [
          "src/core/device/alerts.test.ts > alerts of a device > keep an unknown outcome until it is settled and a late result for a day",
          "src/modules/devices/devices.test.ts > alerts > name each receipt that was printed too late",
        ],
      },
      {
        id: "RAISE-14",
        rule: "`GET /devices/{deviceId}/alerts` answers `deviceId` and `alerts`",
        by: [
          "src/modules/devices/devices.test.ts > alerts > tell of the device with its name, filtered by severity",
        ],
      },
      {
        id: "RAISE-15",
        rule: "They are kept current by reading the device while it is idle",
        by: [
          "src/controller/runtime.test.ts > a device of the built-in controller > is read while idle, at the given interval",
        ],
      },
      {
        id: "RAISE-16",
        rule: "They are kept current by what a command tells of the device's state",
        by: [
          "src/controller/runtime.test.ts > a device of the built-in controller > carries out a command and reports its result and state",
        ],
      },
      {
        id: "RAISE-17",
        rule: "Additive: `z_report_due` is a warning from the organization's `closingTime` on, while the device has receipts from before it in no Z report",
        by: [
          "src/core/device/alerts.test.ts > alerts of a device > include z_report_due from the shop's closing time on, unless the day is overdue",
          "src/modules/devices/closing-watch.test.ts > a reminder stands from the closing time on, and goes with the Z report",
        ],
      },
      {
        id: "RAISE-18",
        rule: "Additive: `disk_full` is an error at every device while the disk of the gateway has no room for further commands",
        by: [
          "src/e2e/full-disk.test.ts > a disk that is full > loses nothing of what was taken before, and it goes on when there is room",
          "src/modules/devices/alert-watch.test.ts > a full disk of the gateway is told of for every device, and that there is room again",
        ],
      },
      {
        id: "RAISE-19",
        rule: "Additive: `GET /alerts` needs `devices:read` and lists which alerts stood when, how each ended and who settled it, by `state`, `deviceId` and `severity`",
        by: [
          "src/modules/devices/alert-history.test.ts > alerts are listed newest first, with from when until when, how and by whom each ended",
          "src/modules/devices/alert-history.test.ts > %s lists %p",
          "src/modules/devices/alert-watch.test.ts > the history has each alert from when until when, and how it ended",
          "src/modules/devices/alert-watch.test.ts > the history names whoever settled a command in doubt, and nobody where the printer told",
        ],
      },
      {
        id: "RAISE-20",
        rule: "Additive: an alert is listed for 90 days after its end, of each device the latest 1,000",
        by: [
          "src/app/retention.test.ts > an alert is listed for 90 days after its end, and for as long as it stands",
          "src/app/retention.test.ts > of the alerts of a device the latest thousand are kept, and those that stand",
        ],
      },
      {
        id: "RAISE-21",
        rule: "Additive: `GET /alerts/{alertId}` needs `devices:read` and shows one as `GET /alerts` lists it; 404 where there is none",
        by: [
          "src/modules/devices/alert-history.test.ts > one is read by its id as it is listed, one that stands too",
          "src/modules/devices/alert-history.test.ts > there is no alert %s",
          "src/modules/devices/alert-history.test.ts > another organization sees none of it, and goes on behind none of it",
        ],
      },
    ],
  },
];
