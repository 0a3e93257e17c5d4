/** Table of rules: devices, their status, alerts and connection history. */

import type { Section } from "../rule.ts";

export const DEVICE_RECORDS: readonly Section[] = [
  {
    of: "interface",
    title: "Device",
    code: "DEV",
    rules: [
      {
        id: "DEV-01",
        rule: "A device has an `id`",
        by: [
          "src/modules/devices/devices.test.ts > registering a device > answers the whole record, offline and unassigned",
        ],
      },
      {
        id: "DEV-02",
        rule: "`name` has 1 to 255 characters",
        by: [
          "src/modules/devices/devices.test.ts > registering a device > refuses a wrong %s [name]",
          "src/modules/devices/devices.test.ts > registering a device > counts the characters of a name, of which an emoji is one",
        ],
      },
      {
        id: "DEV-03",
        rule: "`driver` is one of `vendorA.isl`, `vendorB.isl`, `vendorC.isl`, `vendorD.isl`, `vendorE.zfp`, `vendorF.shtrih` and `custom.serial`, each of which can be registered",
        by: [
          "src/e2e/simulate-all.test.ts > registers one of each as printed, and each prints a receipt",
          "src/modules/devices/devices.test.ts > registering a device > refuses a wrong %s [driver]",
        ],
      },
      {
        id: "DEV-04",
        rule: "`transport` is `tcp`, `bluetooth` or `serial`, nothing else",
        by: [
          "src/modules/devices/devices.test.ts > registering a device > takes what each transport needs and drops the rest",
          "src/modules/devices/devices.test.ts > registering a device > refuses a wrong %s [transport]",
        ],
      },
      {
        id: "DEV-05",
        rule: "`locationId` has at least one character",
        by: [
          "src/modules/devices/devices.test.ts > registering a device > refuses a wrong %s [locationId]",
        ],
      },
      {
        id: "DEV-06",
        rule: "For `tcp`, `connectionParams` are `host` and a `port` of 1 to 65535",
        by: [
          "src/modules/devices/devices.test.ts > registering a device > refuses a wrong %s [connectionParams.port]",
        ],
      },
      {
        id: "DEV-07",
        rule: "For `bluetooth` and `serial`, `connectionParams` are an `address`",
        by: [
          "src/modules/devices/devices.test.ts > registering a device > takes what each transport needs and drops the rest",
          "src/modules/devices/devices.test.ts > registering a device > refuses a wrong %s [connectionParams.address]",
        ],
      },
      {
        id: "DEV-08",
        rule: "`orgId` names the organization it belongs to",
        by: [
          "src/modules/devices/devices.test.ts > registering a device > answers the whole record, offline and unassigned",
        ],
      },
      {
        id: "DEV-09",
        rule: "A new device has the `status` `offline`",
        by: [
          "src/modules/devices/devices.test.ts > registering a device > answers the whole record, offline and unassigned",
        ],
      },
      {
        id: "DEV-10",
        rule: "`controllerId` and `controllerName` are those of the controller that owns it, and null while none does",
        by: [
          "src/modules/devices/release.test.ts > releasing a device > takes it from the controller, which is told, until one announces it again",
        ],
      },
      {
        id: "DEV-11",
        rule: "`createdAt` and `updatedAt` are ISO 8601, and only the second follows a change",
        by: [
          "src/modules/devices/devices.test.ts > changing a device > takes name, location and parameters of its own transport",
        ],
      },
    ],
  },
  {
    of: "interface",
    title: "Device status record",
    code: "STAT",
    rules: [
      {
        id: "STAT-01",
        rule: "`deviceId` is there for a single device, and left out where the status of all is asked",
        by: [
          "src/modules/devices/devices.test.ts > status > is derived from controller and link, whatever is stored",
        ],
      },
      {
        id: "STAT-02",
        rule: "`wsConnected` is true while the device is in reach of its controller's connection",
        by: [
          "src/modules/devices/devices.test.ts > status > is derived from controller and link, whatever is stored",
        ],
      },
      {
        id: "STAT-03",
        rule: "`controllerOnline` is true while the controller's connection stands, whether or not the device answers",
        by: [
          "src/modules/devices/devices.test.ts > status > is derived from controller and link, whatever is stored",
        ],
      },
      {
        id: "STAT-04",
        rule: "`storedStatus` shows the stored projection, which decides nothing",
        by: [
          "src/modules/devices/devices.test.ts > status > is derived from controller and link, whatever is stored",
        ],
      },
      {
        id: "STAT-05",
        rule: "`effectiveStatus` is `online` only while the controller is connected and reports the device's link as up",
        by: [
          "src/core/device/alerts.test.ts > connectivity > is online only with both the controller's socket and the device's link",
          "src/modules/devices/devices.test.ts > status > is derived from controller and link, whatever is stored",
        ],
      },
      {
        id: "STAT-06",
        rule: "`lastSeen` is null for a device that was never seen, else an ISO 8601 timestamp",
        by: [
          "src/modules/devices/devices.test.ts > status > is derived from controller and link, whatever is stored",
        ],
      },
    ],
  },
  {
    of: "interface",
    title: "Alert",
    code: "ALERT",
    rules: [
      {
        id: "ALERT-01",
        rule: "Alerts follow from the device's present state: they are there with their cause and gone with it, and are never read from what is stored",
        by: [
          "src/e2e/device-states.test.ts > %p in the middle of a receipt > cancels it when nobody comes, and says so",
          "src/core/device/alerts.test.ts > alerts of a device > do not repeat what a device said before it was lost",
        ],
      },
      {
        id: "ALERT-02",
        rule: "An alert shows `type`, `severity`, `message`, `deviceId`, `deviceName` and `detectedAt`",
        by: [
          "src/modules/devices/devices.test.ts > alerts > tell of the device with its name, filtered by severity",
        ],
      },
      {
        id: "ALERT-03",
        rule: "Low paper is `paper_low`, no paper `paper_out`",
        by: [
          "src/core/device/alerts.test.ts > alerts of a device > include %s",
          "src/e2e/device-states.test.ts > a state that stands before a receipt > paper near its end is a warning where the device sees it, and stops nothing",
          "src/e2e/device-states.test.ts > a state that stands before a receipt > no paper fails a receipt beforehand with E306",
        ],
      },
      {
        id: "ALERT-04",
        rule: "What does not block is a `warning`: low paper, a fiscal memory that is nearly full, a Z report that is overdue",
        by: ["src/core/device/alerts.test.ts > alerts of a device > include %s"],
      },
      {
        id: "ALERT-05",
        rule: "What blocks is an `error`: an open cover, a device that is out of reach",
        by: [
          "src/core/device/alerts.test.ts > alerts of a device > include %s",
          "src/core/device/alerts.test.ts > connectivity > is refined by what runs and by what blocks, but not by being out of reach",
        ],
      },
    ],
  },
  {
    of: "interface",
    title: "Connection-history event",
    code: "HIST",
    rules: [
      {
        id: "HIST-01",
        rule: "`type` is `connected` or `disconnected`, `timestamp` when it was",
        by: [
          "src/modules/devices/release.test.ts > the connection history > tells when the device came and went, newest first, with the reason",
        ],
      },
      {
        id: "HIST-02",
        rule: "`deviceModel`, `appVersion` and `osVersion` are what the controller told of itself",
        by: [
          "src/modules/devices/release.test.ts > the connection history > tells when the device came and went, newest first, with the reason",
        ],
      },
      {
        id: "HIST-03",
        rule: "`code` and `reason` are those of the close on a disconnect, and null on a connect",
        by: [
          "src/modules/devices/release.test.ts > the connection history > tells when the device came and went, newest first, with the reason",
          "src/modules/devices/release.test.ts > the connection history > tells of a release, and of a connection that another one replaced",
        ],
      },
    ],
  },
];
