/** Table of rules: the executable, its settings and its packages. */

import type { Section } from "../rule.ts";

export const EXECUTABLE: readonly Section[] = [
  {
    of: "decisions",
    title: "Executable and settings",
    code: "EXEC",
    rules: [
      {
        id: "EXEC-01",
        rule: "`fiscald serve` runs the gateway",
        by: [
          "src/cli/serve.test.ts > fiscald serve > logs where it listens, answers, and ends with 0 when asked to stop",
        ],
      },
      {
        id: "EXEC-02",
        rule: "A setting has one name in its four forms",
        by: [
          "src/config/load-config.test.ts > the names of a setting > follow from its key",
          "src/cli/command-line.test.ts > fiscald config > shows every setting with value and source",
        ],
      },
      {
        id: "EXEC-03",
        rule: "A flag beats the environment, which beats the file, which beats the default",
        by: [
          "src/config/load-config.test.ts > precedence > a flag beats the environment, which beats the file, which beats the default",
        ],
      },
      {
        id: "EXEC-04",
        rule: "The file is that of `--config`, else the one in the state directory, else none",
        by: [
          "src/config/load-config.test.ts > precedence > --config replaces the file of the state directory",
          "src/config/load-config.test.ts > precedence > a flag beats the environment, which beats the file, which beats the default",
        ],
      },
      {
        id: "EXEC-05",
        rule: "The settings that others rely on have their names and defaults",
        by: [
          "src/config/load-config.test.ts > the settings that others rely on have these names and defaults",
        ],
      },
      {
        id: "EXEC-06",
        rule: "`state.dir` is the system's for a service, else `./state`",
        by: [
          "src/config/load-config.test.ts > the state directory > is the system's for a service",
          "src/config/load-config.test.ts > the state directory > is ./state for a person at a terminal, even one started by a service manager",
        ],
      },
      {
        id: "EXEC-07",
        rule: "Port 0 picks a port",
        by: [
          "src/cli/serve.test.ts > fiscald serve > logs where it listens, answers, and ends with 0 when asked to stop",
        ],
      },
      {
        id: "EXEC-08",
        rule: "`https.listen` is where HTTPS is served",
        by: [
          "src/e2e/https.test.ts > HTTPS > with the own authority answers those who trust it, and is off unless asked for",
        ],
      },
      {
        id: "EXEC-09",
        rule: "`push.relayUrl` and `push.relayKey` name the push relay",
        by: [
          "src/e2e/wake-up.test.ts > a sleeping app is woken for a command, and the command is sent to it",
        ],
      },
      {
        id: "EXEC-10",
        rule: "The first registration needs the set-up code, else 403",
        by: [
          "src/modules/auth/auth.test.ts > registering > needs the set-up code from whoever is not at the box",
          "src/e2e/strangers.test.ts > the first registration > needs the code from whoever is not at the machine itself",
        ],
      },
      {
        id: "EXEC-11",
        rule: "`serve` prints it and `fiscald setup --code` shows it",
        by: [
          "src/e2e/strangers.test.ts > the first registration > takes the code that serve printed and setup shows, once",
        ],
      },
      {
        id: "EXEC-12",
        rule: "At the machine itself none is needed, unless a header says that the request was passed on",
        by: [
          "src/e2e/strangers.test.ts > the first registration > needs no code at the machine itself, nor an origin that is configured",
          "src/e2e/strangers.test.ts > the first registration > needs the code behind a proxy, also of one that says nothing of whom it speaks for",
        ],
      },
      {
        id: "EXEC-13",
        rule: "`serve` logs one line with its address when it takes requests",
        by: [
          "src/cli/serve.test.ts > fiscald serve > logs where it listens, answers, and ends with 0 when asked to stop",
        ],
      },
      {
        id: "EXEC-14",
        rule: "SIGHUP never ends the process",
        by: ["src/cli/serve.test.ts > fiscald serve > outlives %s and logs it [SIGHUP]"],
      },
      {
        id: "EXEC-15",
        rule: "SIGHUP has certificates read anew",
        by: [
          "src/e2e/https.test.ts > HTTPS > takes a changed certificate file over, and no request or WebSocket is dropped",
        ],
      },
      {
        id: "EXEC-16",
        rule: "When the database is removed, truncated or replaced, submissions are 503 and `/health` says so",
        by: [
          "src/e2e/database-loss.test.ts > with > %s, no command is taken and /health says so",
          "src/e2e/database-loss.test.ts > with > %s, it is noticed without any request",
        ],
      },
      {
        id: "EXEC-17",
        rule: "It ends with 0 when asked to stop",
        by: [
          "src/cli/serve.test.ts > fiscald serve > logs where it listens, answers, and ends with 0 when asked to stop",
          "src/cli/serve.test.ts > fiscald serve > ends with 0 when the terminal's Ctrl-C asks it to",
        ],
      },
      {
        id: "EXEC-18",
        rule: "It ends with 2 on a wrong command line or setting",
        by: [
          "src/cli/command-line.test.ts > the command line > ends with 2 on a usage error: %p",
          "src/cli/command-line.test.ts > the command line > ends with 2 on wrong settings, lists them all and touches nothing",
        ],
      },
      {
        id: "EXEC-19",
        rule: "It ends with 3 where state directory, lock or database cannot be used",
        by: [
          "src/cli/serve.test.ts > fiscald serve > ends with 3 on a database of a newer version",
          "src/cli/command-line.test.ts > fiscald migrate > ends with 3 where no state directory can be made",
        ],
      },
      {
        id: "EXEC-20",
        rule: "It ends with 4 where the address is in use",
        by: [
          "src/cli/serve.test.ts > fiscald serve > ends with 4 when the address is in use, and makes no state directory",
        ],
      },
      {
        id: "EXEC-21",
        rule: "A second `serve` on one state directory ends with 3 and names the first's process",
        by: ["src/cli/serve.test.ts > fiscald serve > ends with 3 beside another one, naming it"],
      },
      {
        id: "EXEC-22",
        rule: "`fiscald simulate` is a device on a TCP port or a serial port, with its state in a file",
        by: [
          "src/cli/simulate.test.ts > fiscald simulate > keeps every answered command over SIGKILL",
          "src/cli/simulate.test.ts > fiscald simulate > is a serial port under a name of its own until it ends",
        ],
      },
      {
        id: "EXEC-23",
        rule: "Its control port tells the books and shows the paper",
        by: [
          "src/e2e/simulate-all.test.ts > registers one of each as printed, and each prints a receipt",
          "src/e2e/live-routes.test.ts > a printer of %s > prints what it is told, once, and its books agree",
        ],
      },
      {
        id: "EXEC-24",
        rule: "It takes faults, at a frame that is named, and takes them back",
        by: [
          "drivers/isl/simulator/faults-on-the-line.test.ts > line faults > at strikes the frame it names and no other",
          "drivers/isl/simulator/faults-on-the-line.test.ts > line faults > clear takes back what has not struck yet",
          "src/e2e/device-states.test.ts > a state that stands before a receipt > no paper fails a receipt beforehand with E306",
        ],
      },
    ],
  },
  {
    of: "decisions",
    title: "Packages",
    code: "PKG",
    rules: [
      {
        id: "PKG-01",
        rule: "Each package is named only in the areas that wrap it",
        by: [
          "src/tidy.test.ts > the repository > keeps to its layout rules",
          "src/tidy.test.ts > the import rule > %s with %p fails",
        ],
      },
      {
        id: "PKG-03",
        rule: "The licences are those of the packages that are inside",
        by: [
          "scripts/licenses.test.ts > the collected licences > are those of the packages that files were taken from, each once",
        ],
      },
      {
        id: "PKG-04",
        rule: "The same commit gives the same bytes",
        by: [
          "scripts/release/release.test.ts > archive and package > are the same bytes from files of another hour and another folder",
          "scripts/release/release.test.ts > the inventory > is the same for the same commit, and another for another",
        ],
      },
      {
        id: "PKG-05",
        rule: "Signatures are minisign's, and an update checks them",
        by: [
          "scripts/release/release.test.ts > a signature > is verified by minisign, and by what checks an update",
          "scripts/release/release.test.ts > a signature > is none for another file, another comment, another key or none",
          "src/cli/update.test.ts > an update > is refused unless it is newer, for this machine, and signed as what it is",
        ],
      },
      {
        id: "PKG-06",
        rule: "What was stored outlives upgrades and removal, and goes only where that is said",
        by: [
          "scripts/install.test.ts > the installer > run again upgrades, keeps the state, and saves the database as it was",
          "scripts/install.test.ts > the installer > is removed again, and what it has stored only when that is said",
          "scripts/release/release.test.ts > the Debian package > is installed, upgraded and purged, and keeps what was stored until then",
        ],
      },
      {
        id: "PKG-07",
        rule: "An update that does not work is taken back by itself",
        by: [
          "src/cli/update.test.ts > an update > goes back by itself from a version that is not well, database included",
          "src/cli/update.test.ts > an update > touches nothing for a version that cannot bring the database to its schema",
          "src/cli/update.test.ts > an update > killed as the new version starts, is gone back from by the next one",
          "scripts/broken-off.test.ts > an upgrade that is broken off > at any step leaves one version, or is gone back from at the next boot",
          "scripts/broken-off.test.ts > an upgrade that is broken off > may be broken off as it goes back, at any step, and loses neither database",
        ],
      },
      {
        id: "PKG-08",
        rule: "systemd hears when work is taken and that all is well, and sees no device but serial ports",
        by: [
          "src/e2e/systemd.test.ts > the service manager > hears over %s when it takes work, that it is well, and when it ends",
          "src/e2e/systemd.test.ts > the service manager > hears nothing of a gateway whose database does not come to an end with a write",
          "scripts/install.test.ts > the installer > has units that systemd reads without a fault and counts as well confined",
        ],
      },
    ],
  },
];
