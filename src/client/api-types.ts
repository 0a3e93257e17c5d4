/**
 * The API's types, made from its OpenAPI document by scripts/client-types.ts.
 * SPDX-License-Identifier: Apache-2.0
 */

export interface paths {
    "/api/v1/auth/registration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether anybody may register, and what it takes
         * @description Open to everybody.
         */
        get: operations["getAuthRegistration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register an organization with its owner
         * @description Open until the first organization exists, unless configured otherwise. The first one needs the set-up code, unless it is registered at the machine itself.
         *
         *     Open to everybody.
         */
        post: operations["postAuthRegister"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in
         * @description After five wrong passwords for an account from one address, further tries from there have to wait, longer each time: 429 with Retry-After, whether there is such an account or not.
         *
         *     Open to everybody.
         */
        post: operations["postAuthLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange a refresh token for new tokens
         * @description Each refresh token works once; using it again ends the session. A cookie's may come again within 30 seconds and is answered with the same cookie: tabs share it.
         *
         *     Open to everybody.
         */
        post: operations["postAuthRefresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a session, or all sessions of its user
         * @description A browser without the cookie is logged out already.
         *
         *     Open to everybody.
         */
        post: operations["postAuthLogout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/forgot-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a code that sets a new password
         * @description The answer is the same for every address, whether there is such a user or not; a body without an address is 400 like any other that does not fit its schema.
         *
         *     Open to everybody.
         */
        post: operations["postAuthForgotPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password by a code, and end all sessions
         * @description Takes the code of forgot-password, or the setupToken of a new member.
         *
         *     Open to everybody.
         */
        post: operations["postAuthResetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who is logged in
         * @description Needs a login with role `operator` or above; API keys are refused.
         */
        get: operations["getAuthMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the own name
         * @description Needs a login with role `operator` or above; API keys are refused.
         */
        patch: operations["patchAuthMe"];
        trace?: never;
    };
    "/api/v1/auth/change-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the own password and end the other sessions
         * @description Needs a login with role `operator` or above; API keys are refused.
         */
        post: operations["postAuthChangePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/org/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List members
         * @description Needs a login with role `admin` or above; API keys are refused.
         */
        get: operations["getOrgMembers"];
        put?: never;
        /**
         * Add a member
         * @description Nobody can give a role above their own. Without a password the answer carries a token by which the member sets one.
         *
         *     Needs a login with role `admin` or above; API keys are refused.
         */
        post: operations["postOrgMembers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/org/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member for good
         * @description The last active owner cannot be removed.
         *
         *     Needs a login with role `admin` or above; API keys are refused.
         */
        delete: operations["deleteOrgMembersByUserId"];
        options?: never;
        head?: never;
        /**
         * Rename a member, change the role, deactivate or reactivate
         * @description A new role and a deactivation end the member's sessions. The last active owner can be neither lowered nor deactivated.
         *
         *     Needs a login with role `admin` or above; API keys are refused.
         */
        patch: operations["patchOrgMembersByUserId"];
        trace?: never;
    };
    "/api/v1/org/members/{userId}/code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a code by which a member sets a password
         * @description For who has forgotten the password, or whose first code is lost. It replaces codes made before; sessions go on until it is used.
         *
         *     Needs a login with role `admin` or above; API keys are refused.
         */
        post: operations["postOrgMembersByUserIdCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/org/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys, newest first
         * @description Needs a login with role `operator` or above; API keys are refused.
         */
        get: operations["getOrgApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description The key's text is in this answer and nowhere else.
         *
         *     Needs a login with role `admin` or above; API keys are refused.
         */
        post: operations["postOrgApiKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/org/api-keys/revoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API keys that were revoked, newest first
         * @description The last hundred, by the name that each had: commands keep the id alone.
         *
         *     Needs a login with role `operator` or above; API keys are refused.
         */
        get: operations["getOrgApiKeysRevoked"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/org/api-keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key for good
         * @description Needs a login with role `admin` or above; API keys are refused.
         */
        delete: operations["deleteOrgApiKeysByKeyId"];
        options?: never;
        head?: never;
        /**
         * Rename, deactivate or reactivate an API key
         * @description Needs a login with role `admin` or above; API keys are refused.
         */
        patch: operations["patchOrgApiKeysByKeyId"];
        trace?: never;
    };
    "/api/v1/org/api-keys/{keyId}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace an API key by a new one with the same rights
         * @description Needs a login with role `admin` or above; API keys are refused.
         */
        post: operations["postOrgApiKeysByKeyIdRotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/org": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the organization
         * @description Needs a login with role `operator` or above; API keys are refused.
         */
        get: operations["getOrg"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the organization's name, currency, time zone or closing time
         * @description Needs a login with role `admin` or above; API keys are refused.
         */
        patch: operations["patchOrg"];
        trace?: never;
    };
    "/api/v1/org/locations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List locations
         * @description Needs scope `devices:read`.
         */
        get: operations["getOrgLocations"];
        put?: never;
        /**
         * Add a location
         * @description A device belongs to it when its locationId is the location's id.
         *
         *     Needs scope `devices:write`.
         */
        post: operations["postOrgLocations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/org/locations/{locationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a location
         * @description Needs scope `devices:read`.
         */
        get: operations["getOrgLocationsByLocationId"];
        put?: never;
        post?: never;
        /**
         * Remove a location
         * @description While devices stand there it stays: their clocks follow its time zone. Receipts keep their locationId.
         *
         *     Needs scope `devices:write`.
         */
        delete: operations["deleteOrgLocationsByLocationId"];
        options?: never;
        head?: never;
        /**
         * Change a location
         * @description Needs scope `devices:write`.
         */
        patch: operations["patchOrgLocationsByLocationId"];
        trace?: never;
    };
    "/api/v1/billing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the plan, its limits and what is in use
         * @description Needs a login with role `operator` or above; API keys are refused.
         */
        get: operations["getBilling"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the plan
         * @description Takes nothing away that is in use; only new devices and keys are refused.
         *
         *     Needs a login with role `owner` or above; API keys are refused.
         */
        put: operations["putBillingPlan"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who did what to which resource, and from where
         * @description Entries are only ever added. They are in the order in which they were made. With `resource`, the id of a device for example, those of what was done to it; with `actor`, as entries say it (`user:<id>`) or as the bare id of a member or an API key, those of what somebody did; with `action`, those of one kind. With `from` or `to` they are in order of `createdAt`, which is another one where the clock was set; one request searches about 100,000 entries, and where these do not fill its page, `hasMore` says to go on after `lastId`.
         *
         *     Needs a login with role `admin` or above; API keys are refused.
         */
        get: operations["getAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/backups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the backups, what the last one came to, and USB sticks
         * @description Backups are of the whole appliance, with every organization at it.
         *
         *     Needs a login with role `admin` or above in the organization that the box belongs to, the first one; API keys are refused.
         */
        get: operations["getBackups"];
        put?: never;
        /**
         * Make a backup now
         * @description It is made and verified beside everything else; `GET /backups` and the events `backup.completed` and `backup.failed` tell what it came to.
         *
         *     Needs a login with role `admin` or above in the organization that the box belongs to, the first one; API keys are refused.
         */
        post: operations["postBackups"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/backups/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Choose the passphrase, the place and the hour of backups
         * @description They count at once. What was set at the box stays: the command line, the environment and the settings file count first.
         *
         *     Needs a login with role `owner` or above in the organization that the box belongs to, the first one; API keys are refused.
         */
        patch: operations["patchBackupsSettings"];
        trace?: never;
    };
    "/api/v1/network": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get where the gateway is reached, and its HTTPS
         * @description Addresses with their QR codes, the certificate, and what plain HTTP answers.
         *
         *     Needs a login with role `admin` or above in the organization that the box belongs to, the first one; API keys are refused.
         */
        get: operations["getNetwork"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the version that runs, newer ones, and what the last update came to
         * @description An update itself is made at the machine, by root: `commands` says how.
         *
         *     Needs a login with role `admin` or above in the organization that the box belongs to, the first one; API keys are refused.
         */
        get: operations["getUpdate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/update/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look for a newer version now
         * @description Fetches the signed list of the place that `update.from` names, and sends nothing about the machine. What was wrong with it stands in `problem`.
         *
         *     Needs a login with role `admin` or above in the organization that the box belongs to, the first one; API keys are refused.
         */
        post: operations["postUpdateCheck"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/diagnostics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what somebody who helps has to know
         * @description Versions, settings, health, figures, devices and the newest commands; without passwords, keys, tokens and payloads. fiscald diagnostics makes the same at the machine, with the log.
         *
         *     Needs a login with role `admin` or above in the organization that the box belongs to, the first one; API keys are refused.
         */
        get: operations["getDiagnostics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List devices
         * @description Needs scope `devices:read`.
         */
        get: operations["getDevices"];
        put?: never;
        /**
         * Register a device
         * @description The plan's cap is checked before the body.
         *
         *     Needs scope `devices:write`.
         */
        post: operations["postDevices"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/{deviceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a device
         * @description Needs scope `devices:read`.
         */
        get: operations["getDevicesByDeviceId"];
        put?: never;
        post?: never;
        /**
         * Remove a device for good
         * @description Its commands that are not final become failed with E903. A simulated one, whose memory goes with it, takes a login: 403 for a key.
         *
         *     Needs scope `devices:write`.
         */
        delete: operations["deleteDevicesByDeviceId"];
        options?: never;
        head?: never;
        /**
         * Change a device's name, location, connection or driver
         * @description Another `transport` comes with its `connectionParams`. What waits stays and is done at the new address. A driver cannot tell what became of what another one began: `driver` is refused while a command is at the device.
         *
         *     Needs scope `devices:write`.
         */
        patch: operations["patchDevicesByDeviceId"];
        trace?: never;
    };
    "/api/v1/devices/{deviceId}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a device from its controller
         * @description Names the device's current controller, else 403. The next controller that announces the device owns it; the built-in one only after managedBy was set to builtin again.
         *
         *     Needs scope `devices:write`.
         */
        post: operations["postDevicesByDeviceIdRelease"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/{deviceId}/accept-state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept that a printer is ahead of the gateway's state
         * @description Clears the alerts state_restored and documents_unknown: what the printer has told is known from then on. What waited on a printer that was held ends as unknown, and a person settles it; then the printer goes on.
         *
         *     Needs a login with role `owner` or above; API keys are refused.
         */
        post: operations["postDevicesByDeviceIdAcceptState"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/{deviceId}/accept-printer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept the printer that stands in the place of a device's own
         * @description Clears the alert other_printer: the printer was exchanged for good. The device has its numbers from then on, and what waits is printed there. Where that printer is registered as another device, the two exchange their addresses instead.
         *
         *     Needs a login with role `owner` or above; API keys are refused.
         */
        post: operations["postDevicesByDeviceIdAcceptPrinter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/ports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the serial ports of the appliance
         * @description With what is plugged into each, as USB tells it; in use or not.
         *
         *     Needs scope `devices:read`.
         */
        get: operations["getDevicesPorts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/statuses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status of every device
         * @description Needs scope `devices:read`.
         */
        get: operations["getDevicesStatuses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the alerts of every device
         * @description Needs scope `devices:read`.
         */
        get: operations["getDevicesAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/{deviceId}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status of a device
         * @description effectiveStatus is the only value to rely on.
         *
         *     Needs scope `devices:read`.
         */
        get: operations["getDevicesByDeviceIdStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/{deviceId}/connection-history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List when a device was connected and disconnected
         * @description The latest 20 events, newest first; kept for 7 days.
         *
         *     Needs scope `devices:read`.
         */
        get: operations["getDevicesByDeviceIdConnectionHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/{deviceId}/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the alerts of a device
         * @description Needs scope `devices:read`.
         */
        get: operations["getDevicesByDeviceIdAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List which alerts stood when, and how each ended
         * @description In the order in which the event `device.alert` told of them, which is a moment after they are there: `GET /devices/alerts` has what stands right now. Kept for 90 days after the end, the latest 1,000 of each device. Alerts of removed devices are among them.
         *
         *     Needs scope `devices:read`.
         */
        get: operations["getAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/{alertId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an alert of the history
         * @description By its `id` in `GET /alerts`: whether it still stands, and how it ended.
         *
         *     Needs scope `devices:read`.
         */
        get: operations["getAlertsByAlertId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/simulated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a printer that the gateway simulates
         * @description For training and for trying the API: it works as a printer of the driver does, of its default model or of the one that is named (/docs/simulator.html#models), and nothing that it prints is fiscal. Its record, its commands, receipts and reports say `simulated: true`, lists and sums leave them out unless `simulated=true` asks for them, and no plan counts it. Its `transport` is `simulated` and its address its own id. It stays simulated; deleting it deletes its memory.
         *
         *     Needs a login with role `admin` or above; API keys are refused.
         */
        post: operations["postDevicesSimulated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/{deviceId}/paper": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the paper of a simulated printer
         * @description The last documents, and the open one as far as it is printed. A picture, or text where `format` says so or `Accept` names `text/plain` and no picture.
         *
         *     Needs a login with role `admin` or above; API keys are refused.
         */
        get: operations["getDevicesByDeviceIdPaper"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/{deviceId}/faults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bring a fault upon a simulated printer
         * @description A condition of the printer, such as `paper_out`, lasts until the faults are taken back; a fault of its line strikes once.
         *
         *     Needs a login with role `admin` or above; API keys are refused.
         */
        post: operations["postDevicesByDeviceIdFaults"];
        /**
         * Take the faults of a simulated printer back
         * @description Paper is loaded, the cover closed, and what waited for its frame is dropped.
         *
         *     Needs a login with role `admin` or above; API keys are refused.
         */
        delete: operations["deleteDevicesByDeviceIdFaults"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/detect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look for devices
         * @description Asks at serial ports, a host or a Bluetooth address with each driver and speed, only reading. An empty body means all serial ports. Ports in use and registered devices are left alone, whoever serves them. With controllerId another controller looks where it is. Takes up to two minutes; ends when the caller hangs up. With Accept: application/x-ndjson the answer is a line { "probing": ... } for each question, { "found": ... } for each device as it answers and at last { "result": ... }. While another search runs: 409. Like registering a device it lets the caller have the gateway connect to any host and port it reaches: give keys for it to those alone who set devices up.
         *
         *     Needs scope `devices:write`.
         */
        post: operations["postDevicesDetect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/{deviceId}/trace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See what passes on a device's line
         * @description The last 200 frames, decoded, and what became of the line meanwhile, since the gateway was started. With `follow` they come as lines, and each new one as it passes, until the reader, the device or the credential goes; an empty line now and then means that nothing happened. An entry that repeats comes again under its number, with its count. Entries that are not read in time are left out. Passwords are masked. 409 when no controller shows the line, or too many look at it.
         *
         *     Needs scope `devices:write`.
         */
        get: operations["getDevicesByDeviceIdTrace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/{deviceId}/commands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Queue a command for a device
         * @description Needs scope `commands`.
         *
         *     Counts in the rate limit for commands too.
         */
        post: operations["postDevicesByDeviceIdCommands"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/commands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List commands
         * @description Of one type, or of any of several: `?type=z_report,cash_in,cash_out`.
         *
         *     Needs scope `commands`.
         */
        get: operations["getCommands"];
        put?: never;
        /**
         * Queue a command, once for each Idempotency-Key
         * @description Needs scope `commands`.
         *
         *     Counts in the rate limit for commands too.
         */
        post: operations["postCommands"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/commands/{commandId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a command; wait for its end with ?wait=seconds
         * @description Needs scope `commands`.
         */
        get: operations["getCommandsByCommandId"];
        put?: never;
        post?: never;
        /**
         * Cancel a pending command
         * @description Needs scope `commands`.
         */
        delete: operations["deleteCommandsByCommandId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/commands/{commandId}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say what became of a fiscal document in doubt
         * @description Clears the alert outcome_unknown; what waits for it on the device goes on. The number of a receipt that was called printed can be said anew, as long as its printer has proven none and nothing takes the sale back.
         *
         *     Needs scope `commands`.
         */
        post: operations["postCommandsByCommandIdResolve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/controllers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the controllers that are connected, and those that are known
         * @description `instances` are connected, with the devices that each reaches now; the built-in one is among them. `known` is what is kept of remote ones, connected or not.
         *
         *     Needs scope `devices:read`.
         */
        get: operations["getControllers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/controllers/{controllerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register a controller, or replace what is known of it
         * @description A push token stays, and so does a name that is not given.
         *
         *     Needs scope `devices:write`.
         */
        post: operations["postControllersByControllerId"];
        /**
         * Forget a controller
         * @description Its name, place and push token are removed; its devices belong to whichever controller announces them next. One that connects again is known again: revoke its key besides.
         *
         *     Needs scope `devices:write`.
         */
        delete: operations["deleteControllersByControllerId"];
        options?: never;
        head?: never;
        /**
         * Change what is known of a controller
         * @description Needs scope `devices:write`.
         */
        patch: operations["patchControllersByControllerId"];
        trace?: never;
    };
    "/api/v1/controllers/{controllerId}/fcm-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register the push token that wakes a controller
         * @description A new token takes the place of the old one. Nothing else is changed.
         *
         *     Needs scope `devices:write`.
         */
        post: operations["postControllersByControllerIdFcmToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/controllers/connect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Connect a controller
         * @description A WebSocket, subprotocol fdg.v1; JSON texts both ways, of at most 256 KiB to the gateway. With marks=1 the controller reports how far a document is; of one that does not, no failure is believed to mean that nothing was printed. Connecting again under the same name ends the first connection. The gateway ends it with 4400 (too many messages that make no sense), 4401 (the credential has ended, which for an access token is when it expires), 4408 (silent for 45 s, or too slow to read), 4409 (replaced), 4429 (too many messages) or 1001 (it stops: come again).
         *
         *     Needs scope `devices:write`.
         */
        get: operations["getControllersConnect"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/ticket": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a ticket that opens one connection
         * @description For browsers, which send no credential with a WebSocket or an EventSource. The ticket stands for the credential that asked for it, and ends with it.
         *
         *     Needs any of the scopes `commands`, `receipts:read`, `reports`, `devices:read`.
         */
        post: operations["postEventsTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Listen over a WebSocket
         * @description Each event comes once, in order, and only to credentials that cover its subject: commands `commands`, receipts `receipts:read`, reports `reports`, devices and controllers `devices:read`. Events are kept for 7 days. `since` first repeats what was stored after that event. With `beats=1` `{"type":"beat"}` comes where nothing else has come for 15 seconds: a browser tells no page of the pings, and of a connection whose other end is gone neither. Ends: 4401 the credential is over, 4408 the reader is too slow, 4410 the event of `since` is not kept any more (read the state anew), 4429 too many messages came, 1001 the gateway stops.
         *
         *     Needs any of the scopes `commands`, `receipts:read`, `reports`, `devices:read`.
         */
        get: operations["getEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Listen by server-sent events
         * @description Messages, each with an event as `data` and its id as `id`. Each event comes once, in order, and only to credentials that cover its subject: commands `commands`, receipts `receipts:read`, reports `reports`, devices and controllers `devices:read`. Events are kept for 7 days. `Last-Event-ID`, or `since` where that header cannot be set, first repeats what was stored after that event. The answer ends with its credential, when its reader is too slow, and when the gateway stops.
         *
         *     Needs any of the scopes `commands`, `receipts:read`, `reports`, `devices:read`.
         */
        get: operations["getEventsStream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/org/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks, newest first
         * @description Needs a login with role `admin` or above; API keys are refused.
         */
        get: operations["getOrgWebhooks"];
        put?: never;
        /**
         * Subscribe a webhook
         * @description The secret is in this answer, in that of rotate-secret, and nowhere else.
         *
         *     Needs a login with role `admin` or above; API keys are refused.
         */
        post: operations["postOrgWebhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/org/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description Needs a login with role `admin` or above; API keys are refused.
         */
        get: operations["getOrgWebhooksByWebhookId"];
        put?: never;
        post?: never;
        /**
         * Remove a webhook and its deliveries
         * @description Needs a login with role `admin` or above; API keys are refused.
         */
        delete: operations["deleteOrgWebhooksByWebhookId"];
        options?: never;
        head?: never;
        /**
         * Change, disable or enable a webhook
         * @description A disabled one takes changes only together with enabled: true, else 409.
         *
         *     Needs a login with role `admin` or above; API keys are refused.
         */
        patch: operations["patchOrgWebhooksByWebhookId"];
        trace?: never;
    };
    "/api/v1/org/webhooks/{webhookId}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the signing secret
         * @description The new one signs alone from now on.
         *
         *     Needs a login with role `admin` or above; API keys are refused.
         */
        post: operations["postOrgWebhooksByWebhookIdRotateSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/org/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver webhook.test once, now
         * @description Takes up to 10 s. Answers with the delivery whether it succeeded or not; it does not count in failureCount.
         *
         *     Needs a login with role `admin` or above; API keys are refused.
         */
        post: operations["postOrgWebhooksByWebhookIdTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/org/webhooks/{webhookId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver once more what a delivery carried
         * @description Answers with a new delivery of the same event, under the same `webhook-id`, which is attempted at once and repeated like any other. One that is still `pending` is not made a second time: its next attempt is made at once, and it is the answer.
         *
         *     Needs a login with role `admin` or above; API keys are refused.
         */
        post: operations["postOrgWebhooksByWebhookIdReplay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/org/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the latest deliveries, newest first
         * @description Deliveries are kept for 30 days.
         *
         *     Needs a login with role `admin` or above; API keys are refused.
         */
        get: operations["getOrgWebhooksByWebhookIdDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List X and Z reports
         * @description Needs scope `reports`.
         */
        get: operations["getReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/daily": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare a date's stored receipts with its Z reports
         * @description Days begin by the clocks of the place where the device stands. Today unless a date is given; a row for each device unless one is named.
         *
         *     Needs scope `reports`.
         */
        get: operations["getReportsDaily"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/calendar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show for each date of a month what a device sold and the Z reports made
         * @description Dates begin by the clocks of the place where the device stands. This month unless one is given. A Z report is compared by number and worth; GET /reports/daily tells more.
         *
         *     Needs scope `reports`.
         */
        get: operations["getReportsCalendar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Add up stored receipts by day, hour, tender, VAT group or device
         * @description From (included) to (not included): at most 366 days, by hour 31. Days and hours begin by the organization's clocks, empty ones are shown too.
         *
         *     Needs scope `reports`.
         */
        get: operations["getReportsSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/{reportId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a report
         * @description Needs scope `reports`.
         */
        get: operations["getReportsByReportId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/{reportId}/look": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that somebody has looked at a report
         * @description The first time is kept in the audit log: `lastZ.lookedAt` of GET /today tells it, and nobody has to be sent to a Z report that differs any more. To owners, admins and keys with receipts:admin only one of them can tell so.
         *
         *     Needs scope `reports`.
         */
        post: operations["postReportsByReportIdLook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/journal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download receipts and reports as XML
         * @description From (included) to (not included), by when an entry came into the books of its device. Nothing of simulated devices is in it. The file keeps to /api/v1/schemas/journal.xsd; one without its element `end` was cut off.
         *
         *     Needs scope `reports`.
         */
        get: operations["getReportsJournal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/schemas/journal.xsd": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the XML schema of the journal
         * @description Open to everybody.
         */
        get: operations["getSchemasJournalXsd"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/today": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what the shop does, needs and has sold today
         * @description The day begins by the clocks of the organization, or of the location that is named. With `locationId` it is about the devices that are registered there now.
         *
         *     Needs scope `devices:read`.
         */
        get: operations["getToday"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/receipts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List receipts
         * @description `from` and `to` are about issuedAt, which is as right as the printer's clock. With `time=bookedAt` a day has the receipts that its sums in /reports and /today are made of. `originalReceiptId` is the sale whose refunds and stornos are asked for. `q` is a text within a number, the customer's code or an item's name, the total as 12.50 or 12,50, or the whole id; its pages may end early with hasMore, and lastId then says where the search goes on.
         *
         *     Needs scope `receipts:read`.
         */
        get: operations["getReceipts"];
        put?: never;
        /**
         * Store a receipt made elsewhere, once for each Idempotency-Key
         * @description What commands print is stored by itself. A refund or a storno may not be more than what is left of its sale: 422. A fiscalId that the device has given before: 409.
         *
         *     Needs scope `receipts`.
         */
        post: operations["postReceipts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/receipts/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Save the receipts of a period as a file
         * @description By issuedAt unless `time` says otherwise. Oldest first, of any length. In CSV a text that begins like a formula has an apostrophe before it; payments, items and modifiers are JSON; `signedTotal` is below zero for what went back to a customer.
         *
         *     Needs scope `receipts:admin`.
         */
        get: operations["getReceiptsExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/receipts/{receiptId}/storno": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Print the storno of a sale, or of a part of it, once for each Idempotency-Key
         * @description Queues print_reversal_receipt on the device that printed the sale. Without items or lines all that is left is reversed; without payments it is paid back as it was paid where that is clear and the printer can, else in cash. Who has told somebody the amount sends it as `expectedAmount`: any other is 422. What is reversed is reserved until the command has ended with outcome not_printed: more than what is left of a line is 422, and `details` say under `left` what that is. A key counts for the storno of this sale alone: that of the sale itself may serve again.
         *
         *     Needs scope `receipts:admin`.
         *
         *     Counts in the rate limit for commands too.
         */
        post: operations["postReceiptsByReceiptIdStorno"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/receipts/{receiptId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a receipt
         * @description Needs scope `receipts:read`.
         */
        get: operations["getReceiptsByReceiptId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/receipts/{receiptId}/reversible": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what is left of a sale to reverse, line by line
         * @description What was reversed or refunded, and what is reserved for that, is taken off. The rest of a line comes to exactly what is left of its amount, so that all reversals of a line come to what it was sold for. `tenders` says whether the printer of the sale prints reversals at all, and how it can pay them back.
         *
         *     Needs scope `receipts:read`.
         */
        get: operations["getReceiptsByReceiptIdReversible"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/{deviceId}/receipts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the receipts of a device
         * @description Needs scope `receipts:read`.
         */
        get: operations["getDevicesByDeviceIdReceipts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/commands/{commandId}/last-receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask the printer of a document in doubt for its last receipt
         * @description Sends `get_last_receipt_info` to the device and waits for its end, at most 30 s. The command is listed under `/commands` like any other. What its numbers say of the document stands beside that: a person decides, by the paper.
         *
         *     Needs scope `commands`.
         *
         *     Counts in the rate limit for commands too.
         */
        get: operations["getCommandsByCommandIdLastReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/{deviceId}/cash-balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the cash in the drawer
         * @description Sends `get_cash_amount` to the device and waits for its end, at most 30 s. The command is listed under `/commands` like any other.
         *
         *     Needs scope `devices:read`.
         *
         *     Counts in the rate limit for commands too.
         */
        get: operations["getDevicesByDeviceIdCashBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/{deviceId}/datetime": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the device clock
         * @description Sends `get_date_time` to the device and waits for its end, at most 30 s. The command is listed under `/commands` like any other.
         *
         *     Needs scope `devices:read`.
         *
         *     Counts in the rate limit for commands too.
         */
        get: operations["getDevicesByDeviceIdDatetime"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/{deviceId}/header-footer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the header and footer lines
         * @description Sends `get_header_footer` to the device and waits for its end, at most 30 s. The command is listed under `/commands` like any other.
         *
         *     Needs scope `devices:read`.
         *
         *     Counts in the rate limit for commands too.
         */
        get: operations["getDevicesByDeviceIdHeaderFooter"];
        put?: never;
        /**
         * Replace the header and footer lines
         * @description Sends `set_header_footer` to the device and waits for its end, at most 30 s. The command is listed under `/commands` like any other.
         *
         *     Needs scope `devices:write`.
         *
         *     Counts in the rate limit for commands too.
         */
        post: operations["postDevicesByDeviceIdHeaderFooter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/{deviceId}/header-footer-capabilities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how many header and footer lines fit
         * @description Sends `get_header_footer_capabilities` to the device and waits for its end, at most 30 s. The command is listed under `/commands` like any other.
         *
         *     Needs scope `devices:read`.
         *
         *     Counts in the rate limit for commands too.
         */
        get: operations["getDevicesByDeviceIdHeaderFooterCapabilities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/{deviceId}/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the device's identification
         * @description Sends `get_info` to the device and waits for its end, at most 30 s. The command is listed under `/commands` like any other.
         *
         *     Needs scope `devices:read`.
         *
         *     Counts in the rate limit for commands too.
         */
        get: operations["getDevicesByDeviceIdInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/{deviceId}/last-receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the device knows of its last receipt
         * @description Sends `get_last_receipt_info` to the device and waits for its end, at most 30 s. The command is listed under `/commands` like any other.
         *
         *     Needs scope `devices:read`.
         *
         *     Counts in the rate limit for commands too.
         */
        get: operations["getDevicesByDeviceIdLastReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/{deviceId}/live-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read paper, cover, fiscal day and errors
         * @description Sends `get_status` to the device and waits for its end, at most 30 s. The command is listed under `/commands` like any other.
         *
         *     Needs scope `devices:read`.
         *
         *     Counts in the rate limit for commands too.
         */
        get: operations["getDevicesByDeviceIdLiveStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/{deviceId}/logo-capabilities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how large the black-and-white BMP of a logo may be: dots across and down, bytes of the file; null where there is no such limit
         * @description Sends `get_logo_capabilities` to the device and waits for its end, at most 30 s. The command is listed under `/commands` like any other.
         *
         *     Needs scope `devices:read`.
         *
         *     Counts in the rate limit for commands too.
         */
        get: operations["getDevicesByDeviceIdLogoCapabilities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/{deviceId}/operator-capabilities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the device allows for operators
         * @description Sends `get_operator_capabilities` to the device and waits for its end, at most 30 s. The command is listed under `/commands` like any other.
         *
         *     Needs scope `devices:read`.
         *
         *     Counts in the rate limit for commands too.
         */
        get: operations["getDevicesByDeviceIdOperatorCapabilities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/{deviceId}/operators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read all fiscal operators
         * @description Sends `get_operators` to the device and waits for its end, at most 30 s. The command is listed under `/commands` like any other.
         *
         *     Needs scope `devices:read`.
         *
         *     Counts in the rate limit for commands too.
         */
        get: operations["getDevicesByDeviceIdOperators"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/{deviceId}/vat-capabilities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read which VAT rates the firmware accepts
         * @description Sends `get_vat_capabilities` to the device and waits for its end, at most 30 s. The command is listed under `/commands` like any other.
         *
         *     Needs scope `devices:read`.
         *
         *     Counts in the rate limit for commands too.
         */
        get: operations["getDevicesByDeviceIdVatCapabilities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/{deviceId}/vat-rates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the VAT table
         * @description Sends `get_vat_rates` to the device and waits for its end, at most 30 s. The command is listed under `/commands` like any other.
         *
         *     Needs scope `devices:read`.
         *
         *     Counts in the rate limit for commands too.
         */
        get: operations["getDevicesByDeviceIdVatRates"];
        put?: never;
        /**
         * Configure the VAT table
         * @description Sends `set_vat_rates` to the device and waits for its end, at most 30 s. The command is listed under `/commands` like any other.
         *
         *     Needs scope `devices:write`.
         *
         *     Counts in the rate limit for commands too.
         */
        post: operations["postDevicesByDeviceIdVatRates"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/{deviceId}/set-datetime": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the device clock
         * @description Sends `set_datetime` to the device and waits for its end, at most 30 s. The command is listed under `/commands` like any other.
         *
         *     Needs scope `devices:write`.
         *
         *     Counts in the rate limit for commands too.
         */
        post: operations["postDevicesByDeviceIdSetDatetime"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/{deviceId}/print-duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reprint the last receipt as a non-fiscal duplicate
         * @description Sends `print_duplicate` to the device and waits for its end, at most 30 s. The command is listed under `/commands` like any other.
         *
         *     Needs scope `devices:write`.
         *
         *     Counts in the rate limit for commands too.
         */
        post: operations["postDevicesByDeviceIdPrintDuplicate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/{deviceId}/non-fiscal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Print a free-form non-fiscal slip
         * @description Sends `non_fiscal_receipt` to the device and waits for its end, at most 30 s. The command is listed under `/commands` like any other.
         *
         *     Needs scope `devices:write`.
         *
         *     Counts in the rate limit for commands too.
         */
        post: operations["postDevicesByDeviceIdNonFiscal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/{deviceId}/operator": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add or replace a fiscal operator
         * @description Sends `set_operator` to the device and waits for its end, at most 30 s. The command is listed under `/commands` like any other.
         *
         *     Needs scope `devices:write`.
         *
         *     Counts in the rate limit for commands too.
         */
        post: operations["postDevicesByDeviceIdOperator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/{deviceId}/logo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a logo bitmap
         * @description Sends `set_logo` to the device and waits for its end, at most 30 s. The command is listed under `/commands` like any other.
         *
         *     Needs scope `devices:write`.
         *
         *     Counts in the rate limit for commands too.
         */
        post: operations["postDevicesByDeviceIdLogo"];
        /**
         * Remove the logo
         * @description Sends `delete_logo` to the device and waits for its end, at most 30 s. The command is listed under `/commands` like any other.
         *
         *     Needs scope `devices:write`.
         *
         *     Counts in the rate limit for commands too.
         */
        delete: operations["deleteDevicesByDeviceIdLogo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/{deviceId}/void-open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel the receipt open on the device
         * @description Sends `void_open_receipt` to the device and waits for its end, at most 30 s. The command is listed under `/commands` like any other.
         *
         *     Needs scope `devices:write`.
         *
         *     Counts in the rate limit for commands too.
         */
        post: operations["postDevicesByDeviceIdVoidOpen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/{deviceId}/reversal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Print a fiscal reversal (storno) of a sale
         * @description Sends `print_reversal_receipt` to the device and waits for its end, at most 30 s. The command is listed under `/commands` like any other.
         *
         *     Needs scope `devices:write`.
         *
         *     Counts in the rate limit for commands too.
         */
        post: operations["postDevicesByDeviceIdReversal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/{deviceId}/reports/x": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read and print the day's totals without closing the day
         * @description Sends `x_report` to the device and waits for its end, at most 30 s. The command is listed under `/commands` like any other.
         *
         *     Needs scope `reports`.
         *
         *     Counts in the rate limit for commands too.
         */
        post: operations["postDevicesByDeviceIdReportsX"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/{deviceId}/reports/z": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close the fiscal day
         * @description Sends `z_report` to the device and waits for its end, at most 120 s. The command is listed under `/commands` like any other.
         *
         *     Needs scope `reports`.
         *
         *     Counts in the rate limit for commands too.
         */
        post: operations["postDevicesByDeviceIdReportsZ"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process runs
         * @description Open to everybody.
         */
        get: operations["getLivez"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The same as /livez
         * @description Open to everybody.
         */
        get: operations["getHealthz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the gateway takes work; 503 when not
         * @description Open to everybody.
         */
        get: operations["getReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What works and what does not; 503 when something failed
         * @description Open to everybody.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "receipt.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A receipt was stored by POST /receipts
         * @description Sent to each enabled webhook that lists it, at least once, in no promised order.
         */
        post: operations["onReceiptCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "command.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A command was carried out
         * @description Sent to each enabled webhook that lists it, at least once, in no promised order.
         */
        post: operations["onCommandCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "command.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A command was refused, or failed
         * @description Sent to each enabled webhook that lists it, at least once, in no promised order.
         */
        post: operations["onCommandFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "command.timeout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A command was not begun in time
         * @description Sent to each enabled webhook that lists it, at least once, in no promised order.
         */
        post: operations["onCommandTimeout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "device.online": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A device came within reach
         * @description Sent to each enabled webhook that lists it, at least once, in no promised order.
         */
        post: operations["onDeviceOnline"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "device.offline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A device went out of reach
         * @description Sent to each enabled webhook that lists it, at least once, in no promised order.
         */
        post: operations["onDeviceOffline"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "report.generated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A device completed an X or Z report
         * @description Sent to each enabled webhook that lists it, at least once, in no promised order.
         */
        post: operations["onReportGenerated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Somebody tries the webhook by POST /org/webhooks/{webhookId}/test
         * @description Sent once, whatever the answer; it cannot be subscribed to.
         */
        post: operations["onWebhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * @description - receipts: `print_receipt`, `void_receipt`, `print_reversal_receipt`, `void_open_receipt`, `print_duplicate`, `non_fiscal_receipt`
         *     - reports: `x_report`, `z_report`
         *     - cash: `cash_in`, `cash_out`, `get_cash_amount`, `open_drawer`
         *     - configuration: `set_datetime`, `set_logo`, `delete_logo`, `set_vat_rates`, `set_header_footer`, `set_operator`, `get_operators`
         *     - diagnostics: `get_status`, `get_info`, `get_last_receipt_info`, `get_date_time`, `get_vat_rates`, `get_vat_capabilities`, `get_header_footer_capabilities`, `get_header_footer`, `get_operator_capabilities`, `get_logo_capabilities`
         *     - raw: `raw_command`
         *
         *     A payload has at most 64 KiB as JSON, but for one with a logo, and 32 levels. Texts hold neither U+0000 nor half a surrogate pair
         */
        CommandSubmission: components["schemas"]["PrintReceiptSubmission"] | components["schemas"]["VoidReceiptSubmission"] | components["schemas"]["PrintReversalReceiptSubmission"] | components["schemas"]["VoidOpenReceiptSubmission"] | components["schemas"]["PrintDuplicateSubmission"] | components["schemas"]["NonFiscalReceiptSubmission"] | components["schemas"]["XReportSubmission"] | components["schemas"]["ZReportSubmission"] | components["schemas"]["CashInSubmission"] | components["schemas"]["CashOutSubmission"] | components["schemas"]["GetCashAmountSubmission"] | components["schemas"]["OpenDrawerSubmission"] | components["schemas"]["SetDatetimeSubmission"] | components["schemas"]["SetLogoSubmission"] | components["schemas"]["DeleteLogoSubmission"] | components["schemas"]["SetVatRatesSubmission"] | components["schemas"]["SetHeaderFooterSubmission"] | components["schemas"]["SetOperatorSubmission"] | components["schemas"]["GetOperatorsSubmission"] | components["schemas"]["GetStatusSubmission"] | components["schemas"]["GetInfoSubmission"] | components["schemas"]["GetLastReceiptInfoSubmission"] | components["schemas"]["GetDateTimeSubmission"] | components["schemas"]["GetVatRatesSubmission"] | components["schemas"]["GetVatCapabilitiesSubmission"] | components["schemas"]["GetHeaderFooterCapabilitiesSubmission"] | components["schemas"]["GetHeaderFooterSubmission"] | components["schemas"]["GetOperatorCapabilitiesSubmission"] | components["schemas"]["GetLogoCapabilitiesSubmission"] | components["schemas"]["RawCommandSubmission"];
        FailedCommandData: {
            /** @description Fiscal documents, cash movements and Z reports: whether it stands on the device. Only what is `not_printed` may be submitted anew. What failed and is `printed` is of 0.1.0: it is `completed` since */
            outcome?: "not_printed" | "printed" | "unknown";
            /** @description Of what is `unknown` once the device was asked: why it does not tell. `errorMessage` is the same in English */
            doubt?: {
                /**
                 * @description The device is at document `number`; this one would be number `own`
                 * @constant
                 */
                code: "other_number";
                params: {
                    number: number;
                    own: number;
                };
            } | {
                code: "others_printed" | "maybe_theirs" | "z_report_since" | "other_sums" | "finished_by_hand" | "not_told" | "z_report_not_told" | "cash_not_told" | "stays_open" | "not_told_in_time" | "other_device";
                params: Record<string, unknown>;
            };
            /** @description The device's own words */
            deviceError?: {
                code: string;
                message: string;
            };
        };
        /** @description Print a fiscal sale receipt */
        PrintReceiptSubmission: {
            /** @constant */
            type: "print_receipt";
            payload: {
                /** @description Each comes to quantity x price, rounded to the cent, and all of them to 99999999.99 at most. In items, subtotalModifiers and payments a property that is nearly a known one or means the same, or that names a discount, tax, rate or sum, is refused; others are ignored */
                items: {
                    /** @description Printed as far as the device has room, 34 to 84 characters on the models that are known: the rest is cut, and stored all the same */
                    name: string;
                    /** @description At most 3 decimals */
                    quantity: number;
                    /** @description Unit price in currency units, at most 2 decimals */
                    price: number;
                    /** @description VAT1..VAT16 or exempt */
                    vatGroup: string;
                    department?: number;
                    unit?: string;
                }[];
                /** @description In order, each on what the items and those before it come to, which is not 0: a discount is no more than that, and with a surcharge it is 99999999.99 at most */
                subtotalModifiers?: {
                    type: "discount-amount" | "surcharge-amount";
                    /** @description Currency units, at most 2 decimals */
                    value: number;
                }[];
                customerCif?: string;
                /** @description They come to what the items and subtotalModifiers do, within 0.01 */
                payments: {
                    method: "cash" | "card" | "check" | "credit" | "coupons" | "meal-vouchers" | "value-tickets" | "voucher" | "modern-payment" | "card-advance" | "foreign-currency" | "bank" | "ext-coupons" | "packaging" | "internal-usage" | "damage" | "reserved1" | "reserved2" | "other";
                    /** @description Currency units, at most 2 decimals */
                    amount: number;
                }[];
                uniqueSaleNumber?: string;
                operatorId?: number;
                operatorPassword?: string;
            };
        };
        /** @description `result.data` of a completed `print_receipt`. Null stands for what the protocol of the device does not tell */
        PrintReceiptResult: {
            receiptNumber: string | null;
            fiscalMemorySerialNumber: string | null;
            zReportNumber: string | null;
            issuedAt: string | null;
            totalAmount: number | null;
            change: number | null;
            /** @description Of a receipt that broke off while it was paid: how the printer holds it, where it refused a tender that was sent and took the rest in cash */
            payments?: {
                method: "cash" | "card" | "check" | "credit" | "coupons" | "meal-vouchers" | "value-tickets" | "voucher" | "modern-payment" | "card-advance" | "foreign-currency" | "bank" | "ext-coupons" | "packaging" | "internal-usage" | "damage" | "reserved1" | "reserved2" | "other";
                /** @description Currency units */
                amount: number;
            }[];
        };
        /** @description Void an earlier receipt by id */
        VoidReceiptSubmission: {
            /** @constant */
            type: "void_receipt";
            payload: {
                /** @description A receipt of the gateway, or the fiscal id the device gave it; paid back in its own tenders */
                receiptId: string;
            };
        };
        /** @description `result.data` of a completed `void_receipt`. Null stands for what the protocol of the device does not tell */
        VoidReceiptResult: {
            receiptNumber: string | null;
            fiscalMemorySerialNumber: string | null;
            zReportNumber: string | null;
            issuedAt: string | null;
            totalAmount: number | null;
            change: number | null;
            /** @description Of a receipt that broke off while it was paid: how the printer holds it, where it refused a tender that was sent and took the rest in cash */
            payments?: {
                method: "cash" | "card" | "check" | "credit" | "coupons" | "meal-vouchers" | "value-tickets" | "voucher" | "modern-payment" | "card-advance" | "foreign-currency" | "bank" | "ext-coupons" | "packaging" | "internal-usage" | "damage" | "reserved1" | "reserved2" | "other";
                /** @description Currency units */
                amount: number;
            }[];
            /** @description As in the payload */
            voidedReceiptId: string;
        };
        /** @description Print a fiscal reversal (storno) of a sale */
        PrintReversalReceiptSubmission: {
            /** @constant */
            type: "print_reversal_receipt";
            payload: {
                /** @description As it stands on the sale; empty where the sale has none */
                uniqueSaleNumber: string;
                originalReceiptNumber: string;
                /** @description ISO 8601; without an offset it is the local time of the device */
                originalReceiptDateTime: string;
                fiscalMemorySerialNumber: string;
                originalZReportNumber?: string;
                reason: "operator-error" | "refund" | "tax-base-reduction";
                /** @description Each comes to quantity x price, rounded to the cent, and all of them to 99999999.99 at most. In items, subtotalModifiers and payments a property that is nearly a known one or means the same, or that names a discount, tax, rate or sum, is refused; others are ignored */
                items: {
                    /** @description Printed as far as the device has room, 34 to 84 characters on the models that are known: the rest is cut, and stored all the same */
                    name: string;
                    /** @description At most 3 decimals */
                    quantity: number;
                    /** @description Unit price in currency units, at most 2 decimals */
                    price: number;
                    /** @description VAT1..VAT16 or exempt */
                    vatGroup: string;
                    department?: number;
                    unit?: string;
                }[];
                /** @description What is paid back; left out, all of it in cash */
                payments?: {
                    method?: "cash" | "card" | "check" | "credit" | "coupons" | "meal-vouchers" | "value-tickets" | "voucher" | "modern-payment" | "card-advance" | "foreign-currency" | "bank" | "ext-coupons" | "packaging" | "internal-usage" | "damage" | "reserved1" | "reserved2" | "other";
                    type?: "cash" | "card" | "check" | "credit" | "coupons" | "meal-vouchers" | "value-tickets" | "voucher" | "modern-payment" | "card-advance" | "foreign-currency" | "bank" | "ext-coupons" | "packaging" | "internal-usage" | "damage" | "reserved1" | "reserved2" | "other";
                    /** @description Currency units, at most 2 decimals */
                    amount: number;
                }[];
                operatorId?: number;
                operatorPassword?: string;
            };
        };
        /** @description `result.data` of a completed `print_reversal_receipt`. Null stands for what the protocol of the device does not tell */
        PrintReversalReceiptResult: {
            receiptNumber: string | null;
            fiscalMemorySerialNumber: string | null;
            zReportNumber: string | null;
            issuedAt: string | null;
            totalAmount: number | null;
            change: number | null;
            /** @description Of a receipt that broke off while it was paid: how the printer holds it, where it refused a tender that was sent and took the rest in cash */
            payments?: {
                method: "cash" | "card" | "check" | "credit" | "coupons" | "meal-vouchers" | "value-tickets" | "voucher" | "modern-payment" | "card-advance" | "foreign-currency" | "bank" | "ext-coupons" | "packaging" | "internal-usage" | "damage" | "reserved1" | "reserved2" | "other";
                /** @description Currency units */
                amount: number;
            }[];
        };
        /** @description Cancel the receipt open on the device */
        VoidOpenReceiptSubmission: {
            /** @constant */
            type: "void_open_receipt";
            payload: Record<string, unknown>;
        };
        /** @description `result.data` of a completed `void_open_receipt`. Null stands for what the protocol of the device does not tell */
        VoidOpenReceiptResult: {
            receiptNumber: string | null;
        };
        /** @description Reprint the last receipt as a non-fiscal duplicate */
        PrintDuplicateSubmission: {
            /** @constant */
            type: "print_duplicate";
            payload: {
                /** @description The receipt that is meant, by its id or fiscal id: E400, and nothing is printed, where another one is the last when the command's turn comes */
                receiptId?: string;
            };
        };
        /** @description `result.data` of a completed `print_duplicate`. Null stands for what the protocol of the device does not tell */
        PrintDuplicateResult: {
            lastDocumentNumber?: string | null;
        };
        /** @description Print a free-form non-fiscal slip */
        NonFiscalReceiptSubmission: {
            /** @constant */
            type: "non_fiscal_receipt";
            payload: {
                lines: string[];
                /** @description Bold and centered at the top */
                header?: string;
            };
        };
        /** @description `result.data` of a completed `non_fiscal_receipt`. Null stands for what the protocol of the device does not tell */
        NonFiscalReceiptResult: {
            lastDocumentNumber?: string | null;
        };
        /** @description Read and print the day's totals without closing the day */
        XReportSubmission: {
            /** @constant */
            type: "x_report";
            payload: Record<string, unknown>;
        };
        /** @description `result.data` of a completed `x_report`. Null stands for what the protocol of the device does not tell */
        XReportResult: {
            reportNumber: number | null;
            type: "x_report" | "z_report";
            receiptCount: number | null;
            reversalCount: number | null;
            totals: {
                gross: number | null;
                reversals: number | null;
                cashIn: number | null;
                cashOut: number | null;
                cashBalance: number | null;
            };
            vat: {
                group: string;
                rate: number | null;
                /** @description Currency units */
                turnover: number;
                tax: number | null;
            }[] | null;
            payments: {
                method: "cash" | "card" | "check" | "credit" | "coupons" | "meal-vouchers" | "value-tickets" | "voucher" | "modern-payment" | "card-advance" | "foreign-currency" | "bank" | "ext-coupons" | "packaging" | "internal-usage" | "damage" | "reserved1" | "reserved2" | "other";
                /** @description Currency units */
                amount: number;
            }[] | null;
            openedAt: string | null;
            closedAt: string | null;
            fiscalMemorySerialNumber: string | null;
            lastDocumentNumber?: string | null;
        };
        /** @description Close the fiscal day */
        ZReportSubmission: {
            /** @constant */
            type: "z_report";
            payload: Record<string, unknown>;
        };
        /** @description `result.data` of a completed `z_report`. Null stands for what the protocol of the device does not tell */
        ZReportResult: {
            reportNumber: number | null;
            type: "x_report" | "z_report";
            receiptCount: number | null;
            reversalCount: number | null;
            totals: {
                gross: number | null;
                reversals: number | null;
                cashIn: number | null;
                cashOut: number | null;
                cashBalance: number | null;
            };
            vat: {
                group: string;
                rate: number | null;
                /** @description Currency units */
                turnover: number;
                tax: number | null;
            }[] | null;
            payments: {
                method: "cash" | "card" | "check" | "credit" | "coupons" | "meal-vouchers" | "value-tickets" | "voucher" | "modern-payment" | "card-advance" | "foreign-currency" | "bank" | "ext-coupons" | "packaging" | "internal-usage" | "damage" | "reserved1" | "reserved2" | "other";
                /** @description Currency units */
                amount: number;
            }[] | null;
            openedAt: string | null;
            closedAt: string | null;
            fiscalMemorySerialNumber: string | null;
            lastDocumentNumber?: string | null;
        };
        /** @description Register a cash deposit */
        CashInSubmission: {
            /** @constant */
            type: "cash_in";
            payload: {
                /** @description Currency units, at most 2 decimals */
                amount: number;
                /** @description Printed where the protocol has a field for it: by Tremol, 30 characters of it */
                description?: string;
            };
        };
        /** @description `result.data` of a completed `cash_in`. Null stands for what the protocol of the device does not tell */
        CashInResult: {
            cashBalance: number | null;
            cashIn?: number | null;
            cashOut?: number | null;
            lastDocumentNumber?: string | null;
        };
        /** @description Register a cash withdrawal */
        CashOutSubmission: {
            /** @constant */
            type: "cash_out";
            payload: {
                /** @description Currency units, at most 2 decimals */
                amount: number;
                /** @description Printed where the protocol has a field for it: by Tremol, 30 characters of it */
                description?: string;
            };
        };
        /** @description `result.data` of a completed `cash_out`. Null stands for what the protocol of the device does not tell */
        CashOutResult: {
            cashBalance: number | null;
            cashIn?: number | null;
            cashOut?: number | null;
            lastDocumentNumber?: string | null;
        };
        /** @description Read the cash in the drawer */
        GetCashAmountSubmission: {
            /** @constant */
            type: "get_cash_amount";
            payload: Record<string, unknown>;
        };
        /** @description `result.data` of a completed `get_cash_amount`. Null stands for what the protocol of the device does not tell */
        GetCashAmountResult: {
            cashBalance: number | null;
            cashIn?: number | null;
            cashOut?: number | null;
            /** @description ISO 4217 */
            currency: string;
        };
        /** @description Open the drawer without printing */
        OpenDrawerSubmission: {
            /** @constant */
            type: "open_drawer";
            payload: Record<string, unknown>;
        };
        /** @description `result.data` of a completed `open_drawer`. Null stands for what the protocol of the device does not tell */
        OpenDrawerResult: Record<string, unknown>;
        /** @description Set the device clock */
        SetDatetimeSubmission: {
            /** @constant */
            type: "set_datetime";
            payload: {
                /** @description ISO 8601; without an offset it is the local time of the device */
                datetime?: string;
            };
        };
        /** @description `result.data` of a completed `set_datetime`. Null stands for what the protocol of the device does not tell */
        SetDatetimeResult: {
            dateTime: string | null;
        };
        /** @description Upload a logo bitmap */
        SetLogoSubmission: {
            /** @constant */
            type: "set_logo";
            payload: {
                /** @description Base64 image */
                logo: string;
            };
        };
        /** @description `result.data` of a completed `set_logo`. Null stands for what the protocol of the device does not tell */
        SetLogoResult: {
            width: number | null;
            height: number | null;
        };
        /** @description Remove the logo */
        DeleteLogoSubmission: {
            /** @constant */
            type: "delete_logo";
            payload: Record<string, unknown>;
        };
        /** @description `result.data` of a completed `delete_logo`. Null stands for what the protocol of the device does not tell */
        DeleteLogoResult: Record<string, unknown>;
        /** @description Configure the VAT table */
        SetVatRatesSubmission: {
            /** @constant */
            type: "set_vat_rates";
            payload: {
                rates: {
                    group: string;
                    /** @description Percent */
                    rate: number;
                    enabled: boolean;
                }[];
            };
        };
        /** @description `result.data` of a completed `set_vat_rates`. Null stands for what the protocol of the device does not tell */
        SetVatRatesResult: {
            changesLeft?: number | null;
        };
        /** @description Replace the header and footer lines */
        SetHeaderFooterSubmission: {
            /** @constant */
            type: "set_header_footer";
            payload: {
                header: string[];
                footer: string[];
            };
        };
        /** @description `result.data` of a completed `set_header_footer`. Null stands for what the protocol of the device does not tell */
        SetHeaderFooterResult: Record<string, unknown>;
        /** @description Add or replace a fiscal operator */
        SetOperatorSubmission: {
            /** @constant */
            type: "set_operator";
            payload: {
                operatorId: number;
                name: string;
                password?: string;
                oldPassword?: string;
            };
        };
        /** @description `result.data` of a completed `set_operator`. Null stands for what the protocol of the device does not tell */
        SetOperatorResult: {
            operatorId: number;
        };
        /** @description Read all fiscal operators */
        GetOperatorsSubmission: {
            /** @constant */
            type: "get_operators";
            payload: Record<string, unknown>;
        };
        /** @description `result.data` of a completed `get_operators`. Null stands for what the protocol of the device does not tell */
        GetOperatorsResult: {
            operators: {
                operatorId: number;
                name: string;
            }[];
        };
        /** @description Read paper, cover, fiscal day and errors */
        GetStatusSubmission: {
            /** @constant */
            type: "get_status";
            payload: Record<string, unknown>;
        };
        /** @description `result.data` of a completed `get_status`. Null stands for what the protocol of the device does not tell */
        GetStatusResult: {
            paper: ("ok" | "low" | "out") | null;
            cover: ("closed" | "open") | null;
            fiscalReceiptOpen: boolean | null;
            nonFiscalReceiptOpen: boolean | null;
            fiscalDayOpen: boolean | null;
            dayCloseRequired: boolean | null;
            fiscalMemory: ("ok" | "near_full" | "full") | null;
            clockSet: boolean | null;
            hardwareError: boolean | null;
            fiscalized: boolean | null;
            /** @description In the device's own numbers */
            errors: {
                code: string;
                message: string;
            }[];
            /** @description Bytes in hexadecimal */
            rawHex: string;
        };
        /** @description Read the device's identification */
        GetInfoSubmission: {
            /** @constant */
            type: "get_info";
            payload: Record<string, unknown>;
        };
        /** @description `result.data` of a completed `get_info`. Null stands for what the protocol of the device does not tell */
        GetInfoResult: {
            info: {
                serialNumber: string | null;
                firmwareVersion: string | null;
                fiscalMemorySerialNumber: string | null;
                manufacturer: string | null;
                model: string | null;
                /** @description Of its paper, where that is known */
                charsPerLine?: number;
                /** @description In which it pays reversals back, where that is known; none where it prints none */
                reversalTenders?: ("cash" | "card" | "check" | "credit" | "coupons" | "meal-vouchers" | "value-tickets" | "voucher" | "modern-payment" | "card-advance" | "foreign-currency" | "bank" | "ext-coupons" | "packaging" | "internal-usage" | "damage" | "reserved1" | "reserved2" | "other")[];
            };
        };
        /** @description Read what the device knows of its last receipt */
        GetLastReceiptInfoSubmission: {
            /** @constant */
            type: "get_last_receipt_info";
            payload: Record<string, unknown>;
        };
        /** @description `result.data` of a completed `get_last_receipt_info`. Null stands for what the protocol of the device does not tell */
        GetLastReceiptInfoResult: {
            lastReceipt: {
                receiptNumber: string | null;
                receiptDateTime: string | null;
                receiptAmount: number | null;
                fiscalMemorySerialNumber: string | null;
            };
            lastDocumentNumber?: string | null;
            lastZReportNumber?: number | null;
        };
        /** @description Read the device clock */
        GetDateTimeSubmission: {
            /** @constant */
            type: "get_date_time";
            payload: Record<string, unknown>;
        };
        /** @description `result.data` of a completed `get_date_time`. Null stands for what the protocol of the device does not tell */
        GetDateTimeResult: {
            /** @description UTC, ISO 8601 with milliseconds */
            dateTime: string;
        };
        /** @description Read the VAT table */
        GetVatRatesSubmission: {
            /** @constant */
            type: "get_vat_rates";
            payload: Record<string, unknown>;
        };
        /** @description `result.data` of a completed `get_vat_rates`. Null stands for what the protocol of the device does not tell */
        GetVatRatesResult: {
            rates: {
                group: string;
                /** @description Percent */
                rate: number;
                enabled: boolean;
            }[];
        };
        /** @description Read which VAT rates the firmware accepts */
        GetVatCapabilitiesSubmission: {
            /** @constant */
            type: "get_vat_capabilities";
            payload: Record<string, unknown>;
        };
        /** @description `result.data` of a completed `get_vat_capabilities`. Null stands for what the protocol of the device does not tell */
        GetVatCapabilitiesResult: {
            maxRates: number;
            groups: string[];
            namesProgrammable: boolean;
            /** @description False where `set_vat_rates` is refused whatever it holds */
            ratesProgrammable?: boolean;
            changesLeft: number | null;
        };
        /** @description Read how many header and footer lines fit */
        GetHeaderFooterCapabilitiesSubmission: {
            /** @constant */
            type: "get_header_footer_capabilities";
            payload: Record<string, unknown>;
        };
        /** @description `result.data` of a completed `get_header_footer_capabilities`. Null stands for what the protocol of the device does not tell */
        GetHeaderFooterCapabilitiesResult: {
            maxHeaderLines: number;
            maxFooterLines: number;
            maxCharsPerLine: number;
        };
        /** @description Read the header and footer lines */
        GetHeaderFooterSubmission: {
            /** @constant */
            type: "get_header_footer";
            payload: Record<string, unknown>;
        };
        /** @description `result.data` of a completed `get_header_footer`. Null stands for what the protocol of the device does not tell */
        GetHeaderFooterResult: {
            header: string[];
            footer: string[];
        };
        /** @description Read what the device allows for operators */
        GetOperatorCapabilitiesSubmission: {
            /** @constant */
            type: "get_operator_capabilities";
            payload: Record<string, unknown>;
        };
        /** @description `result.data` of a completed `get_operator_capabilities`. Null stands for what the protocol of the device does not tell */
        GetOperatorCapabilitiesResult: {
            maxOperators: number;
            maxNameLength: number;
            maxPasswordLength: number;
            supportsPassword: boolean;
            passwordChangeRequiresOldPassword: boolean;
            canGetOperators: boolean;
        };
        /** @description Read how large the black-and-white BMP of a logo may be: dots across and down, bytes of the file; null where there is no such limit */
        GetLogoCapabilitiesSubmission: {
            /** @constant */
            type: "get_logo_capabilities";
            payload: Record<string, unknown>;
        };
        /** @description `result.data` of a completed `get_logo_capabilities`. Null stands for what the protocol of the device does not tell */
        GetLogoCapabilitiesResult: {
            maxWidth: number | null;
            maxHeight: number | null;
            maxBytes: number | null;
        };
        /** @description Send a device command unchecked */
        RawCommandSubmission: {
            /** @constant */
            type: "raw_command";
            /** @description Checked by the driver alone: `command`, a command number of the device's protocol, with `data`, text in the device's code page, or `dataHex`, bytes in hexadecimal */
            payload: {
                [key: string]: unknown;
            };
        };
        /** @description `result.data` of a completed `raw_command`. Null stands for what the protocol of the device does not tell */
        RawCommandResult: {
            /** @description Bytes in hexadecimal */
            dataHex: string;
            /** @description The same as text in the device's code page */
            data: string;
            /** @description Bytes in hexadecimal */
            statusHex: string;
        };
        User: {
            id: string;
            email: string;
            name: string;
            role: "owner" | "admin" | "operator";
            active: boolean;
            /** Format: date-time */
            createdAt: string;
            lastLoginAt: string | null;
        };
        Organization: {
            id: string;
            name: string;
            currency: string;
            timezone: string;
            plan: "free" | "pro" | "enterprise";
            /** @description `HH:MM`, by the clocks of each device's location: from then on a device whose day has receipts and no Z report has the alert `z_report_due`; null for none */
            closingTime: string | null;
            /** @description The gateway makes the Z report by itself, once for each device and fiscal day, within six hours of `closingTime`: as soon as the device is ready, says that its day is open, and nothing of it waits or is in doubt. Never on simulated printers */
            closingAutomatic: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        ApiKey: {
            id: string;
            prefix: string;
            last4: string;
            label: string;
            scopes: ("receipts" | "receipts:read" | "receipts:admin" | "reports" | "devices" | "devices:read" | "devices:write" | "commands" | "all")[];
            active: boolean;
            /** Format: date-time */
            createdAt: string;
            expiresAt: string | null;
            lastUsed: string | null;
            rotatedFromId: string | null;
            rotatedToId: string | null;
        };
        Location: {
            id: string;
            orgId: string;
            name: string;
            address: string | null;
            timezone: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        AuditEntry: {
            id: string;
            /** Format: date-time */
            createdAt: string;
            /** @description `user:<id>`, `key:<id>`, `controller:<id>`, `gateway`, `box` at the machine, or `nobody` without a login */
            actor: string;
            /** @description One of those that `action` takes, or what an app calls what it did by itself */
            action: string;
            /** @description Id of what it was done to */
            resource: string;
            /** @description Network address of the client; null where nobody called over the network */
            address: string | null;
            details: {
                [key: string]: unknown;
            } | null;
        };
        Backup: {
            /** @description Of the file */
            name: string;
            /**
             * Format: date-time
             * @description The moment that it is of
             */
            createdAt: string;
            bytes: number;
        };
        BackupSettings: {
            /** @description Where backups go: empty for the folder `backups` of the state directory, `usb` for the only USB stick, `usb:NAME`, or a folder that the settings file names */
            to: string;
            /** @description `HH:MM` by the machine's clock, or `off` */
            at: string;
            /** @description IANA name of the zone of the machine's clock */
            timezone: string;
            /** @description Days of which a backup is kept at that place, the newest of each. Those that a person has made, `-by-hand` in their names, are counted apart; their newest five stay in any case */
            keepDays: number;
            /** @description Without one no backup is made */
            hasPassphrase: boolean;
            toFixedBy: ("flag" | "environment" | "file") | null;
            atFixedBy: ("flag" | "environment" | "file") | null;
        };
        HealthCheck: {
            status: "ok" | "degraded" | "failed";
            /** @description For the person who looks; never secrets. Without reasons and folders, but for logins of the organization that the box belongs to and for the person at it */
            detail?: string;
            /** @description What is not as it should be, for programs; absent where all is */
            findings?: {
                code: "database_lost" | "database_unwritable" | "database_unreadable" | "disk_full" | "disk_low" | "disk_unreadable" | "no_timer" | "no_controller" | "clock_never_set" | "printers_need_person" | "commands_stuck" | "printers_unknown" | "certificate_in_the_making" | "certificate_fault" | "certificate_ended" | "certificate_begins_later" | "certificate_ends" | "backup_failed" | "backup_old" | "backup_unready" | "backup_unknown" | "backup_no_passphrase" | "update_broken_off" | "replica_stalled" | "replica_not_begun" | "starts_uncounted";
                /** @description What the words of the code name: days as 2026-11-25, instants as ISO 8601, a reason in the words of the system */
                params: {
                    [key: string]: string | number;
                };
            }[];
        };
        Device: {
            id: string;
            name: string;
            driver: "vendorA.isl" | "vendorB.isl" | "vendorC.isl" | "vendorD.isl" | "vendorE.zfp" | "vendorF.shtrih" | "custom.serial";
            transport: "tcp" | "bluetooth" | "serial" | "simulated";
            locationId: string;
            connectionParams: {
                host: string;
                port: number;
                /** @description Profile of the device, on drivers with profiles; found out when left out */
                profile?: string;
            } | {
                /** @description AA:BB:CC:DD:EE:FF, with #channel where the RFCOMM channel must be named */
                address: string;
                /** @description Profile of the device, on drivers with profiles; found out when left out */
                profile?: string;
            } | {
                /** @description Device path, best /dev/serial/by-id/..., ?baud=&parity=&dataBits=&stopBits=&flow= */
                address: string;
                /** @description Profile of the device, on drivers with profiles; found out when left out */
                profile?: string;
            } | {
                /** @description Of a simulated printer: the device's own id */
                address: string;
                /** @description Which model is simulated */
                model?: string;
            };
            managedBy: "builtin" | "remote";
            orgId: string;
            status: "online" | "offline" | "busy" | "error";
            effectiveStatus: "online" | "offline";
            lastSeen: string | null;
            stateReadAt: string | null;
            controllerId: string | null;
            controllerName: string | null;
            serialNumber: string | null;
            fiscalMemorySerialNumber: string | null;
            model: string | null;
            firmwareVersion: string | null;
            charsPerLine: number | null;
            reversalTenders: ("cash" | "card" | "check" | "credit" | "coupons" | "meal-vouchers" | "value-tickets" | "voucher" | "modern-payment" | "card-advance" | "foreign-currency" | "bank" | "ext-coupons" | "packaging" | "internal-usage" | "damage" | "reserved1" | "reserved2" | "other")[] | null;
            /** @description Of a printer that the gateway simulates: nothing of it is fiscal */
            simulated: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        Alert: {
            type: "paper_low" | "paper_out" | "cover_open" | "device_disconnected" | "other_printer" | "device_unassigned" | "fiscal_memory_near_full" | "fiscal_memory_full" | "z_report_overdue" | "z_report_due" | "clock_drift" | "hardware_error" | "outcome_unknown" | "state_restored" | "documents_unknown" | "disk_full" | "late_result";
            severity: "warning" | "error" | "info";
            message: string;
            deviceId: string;
            deviceName: string;
            /** Format: date-time */
            detectedAt: string;
            /** @description Of outcome_unknown and late_result: the command it speaks of */
            commandId?: string;
            /** @description The number that the device told: of late_result, and of outcome_unknown where it says that it has printed what a person called not printed */
            fiscalId?: string;
            /**
             * @description Of outcome_unknown: a person called the receipt not printed, and it stands open on the device. Called printed, it is finished there
             * @constant
             */
            standsOpen?: true;
            /**
             * @description Of late_result: the device says so of a receipt that a person called printed, and that stands in the books as sold. Without paper it is rung up at the printer by hand, never at the till
             * @constant
             */
            outcome?: "not_printed";
            /** @description Of documents_unknown: how many the gateway does not know, at most; absent where no number of the printer tells */
            documents?: number;
            /**
             * Format: date-time
             * @description Of documents_unknown: when the last document was issued that is known; absent where none is
             */
            since?: string;
        };
        AlertPeriod: {
            id: string;
            /** @description As of an alert; older versions may have had others */
            type: string;
            severity: "warning" | "error" | "info";
            message: string;
            deviceId: string;
            /** Format: date-time */
            detectedAt: string;
            /** @description Of outcome_unknown and late_result: the command it speaks of */
            commandId?: string;
            /** @description The number that the device told: of late_result, and of outcome_unknown where it says that it has printed what a person called not printed */
            fiscalId?: string;
            /**
             * @description Of outcome_unknown: a person called the receipt not printed, and it stands open on the device. Called printed, it is finished there
             * @constant
             */
            standsOpen?: true;
            /**
             * @description Of late_result: the device says so of a receipt that a person called printed, and that stands in the books as sold. Without paper it is rung up at the printer by hand, never at the till
             * @constant
             */
            outcome?: "not_printed";
            /** @description As the device was called then */
            deviceName: string;
            /** @description Null while it stands */
            endedAt: string | null;
            /** @description How it ended: `cured`, it is no longer so; `settled`, a person said what became of it; `out_of_reach`, the device could not be asked any more; `replaced`, a graver one of the same matter took its place; `expired`, it had been shown for its time; `device_removed`. Null while it stands */
            end: "cured" | "settled" | "out_of_reach" | "replaced" | "expired" | "device_removed" | null;
            /** @description Who settled it, as the `actor` of the audit log; null where nobody did */
            endedBy: string | null;
        };
        Command: {
            id: string;
            deviceId: string;
            type: "print_receipt" | "void_receipt" | "print_reversal_receipt" | "void_open_receipt" | "print_duplicate" | "non_fiscal_receipt" | "x_report" | "z_report" | "cash_in" | "cash_out" | "get_cash_amount" | "open_drawer" | "set_datetime" | "set_logo" | "delete_logo" | "set_vat_rates" | "set_header_footer" | "set_operator" | "get_operators" | "get_status" | "get_info" | "get_last_receipt_info" | "get_date_time" | "get_vat_rates" | "get_vat_capabilities" | "get_header_footer_capabilities" | "get_header_footer" | "get_operator_capabilities" | "get_logo_capabilities" | "raw_command";
            payload: {
                [key: string]: unknown;
            };
            orgId: string;
            status: "pending" | "sent" | "processing" | "completed" | "failed" | "timeout";
            apiKeyId: string | null;
            requestedBy: string | null;
            source: "api" | "live" | "portal" | "gateway";
            idempotencyKey: string | null;
            controllerId: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            sentAt: string | null;
            processingAt: string | null;
            finishedAt: string | null;
            /** Format: date-time */
            expiresAt: string;
            /** @description Of a printer that the gateway simulates: nothing of it is fiscal */
            simulated: boolean;
            result: {
                success: boolean;
                /** @description Once completed: the result of the command's type, as PrintReceiptResult, and `recovered: true` where the answer was lost and the device was asked later. Failed or timed out: FailedCommandData */
                data?: components["schemas"]["PrintReceiptResult"] | components["schemas"]["VoidReceiptResult"] | components["schemas"]["PrintReversalReceiptResult"] | components["schemas"]["VoidOpenReceiptResult"] | components["schemas"]["PrintDuplicateResult"] | components["schemas"]["NonFiscalReceiptResult"] | components["schemas"]["XReportResult"] | components["schemas"]["ZReportResult"] | components["schemas"]["CashInResult"] | components["schemas"]["CashOutResult"] | components["schemas"]["GetCashAmountResult"] | components["schemas"]["OpenDrawerResult"] | components["schemas"]["SetDatetimeResult"] | components["schemas"]["SetLogoResult"] | components["schemas"]["DeleteLogoResult"] | components["schemas"]["SetVatRatesResult"] | components["schemas"]["SetHeaderFooterResult"] | components["schemas"]["SetOperatorResult"] | components["schemas"]["GetOperatorsResult"] | components["schemas"]["GetStatusResult"] | components["schemas"]["GetInfoResult"] | components["schemas"]["GetLastReceiptInfoResult"] | components["schemas"]["GetDateTimeResult"] | components["schemas"]["GetVatRatesResult"] | components["schemas"]["GetVatCapabilitiesResult"] | components["schemas"]["GetHeaderFooterCapabilitiesResult"] | components["schemas"]["GetHeaderFooterResult"] | components["schemas"]["GetOperatorCapabilitiesResult"] | components["schemas"]["GetLogoCapabilitiesResult"] | components["schemas"]["RawCommandResult"] | components["schemas"]["FailedCommandData"];
                /** @description The device's number of the document */
                fiscalId?: string;
                /**
                 * @description What each means for the sale, and what to do: /docs/errors.html#e306 and so on.
                 *
                 *     - E100 ConnectionRefused
                 *     - E101 ConnectionTimeout, retryable
                 *     - E102 ConnectionLost, retryable
                 *     - E103 ConnectionNotFound
                 *     - E200 DriverMismatch
                 *     - E201 DriverUnsupported
                 *     - E202 ProtocolChecksumError
                 *     - E203 ProtocolFramingError
                 *     - E300 FiscalMemoryFull
                 *     - E301 FiscalReceiptOpen
                 *     - E302 FiscalNoReceiptOpen
                 *     - E303 FiscalDailyLimitReached
                 *     - E304 FiscalHardwareError
                 *     - E305 FiscalCommandRejected
                 *     - E306 PaperOut, retryable
                 *     - E307 CoverOpen, retryable
                 *     - E400 ValidationInvalidPayload
                 *     - E401 ValidationMissingField
                 *     - E402 ValidationInvalidAmount
                 *     - E403 ValidationInvalidVatGroup
                 *     - E500 TimeoutCommand, retryable
                 *     - E501 TimeoutResponse, retryable
                 *     - E502 TimeoutConnection, retryable
                 *     - E900 Unknown
                 *     - E901 InternalError
                 *     - E902 UnexpectedResponse
                 *     - E903 Cancelled
                 * @enum {string}
                 */
                errorCode?: "E100" | "E101" | "E102" | "E103" | "E200" | "E201" | "E202" | "E203" | "E300" | "E301" | "E302" | "E303" | "E304" | "E305" | "E306" | "E307" | "E400" | "E401" | "E402" | "E403" | "E500" | "E501" | "E502" | "E900" | "E901" | "E902" | "E903";
                errorMessage?: string;
            } | null;
            /** @description ISO 4217 code of its amounts: that of its receipt, else the organization's when it was accepted; null where nobody knows that any more. Not in the answer to a submission */
            currency?: string | null;
            resolution?: {
                outcome: "printed" | "not_printed" | null;
                fiscalId: string | null;
                resolvedAt: string | null;
                resolvedBy: string | null;
            };
        };
        Controller: {
            controllerId: string;
            orgId: string;
            controllerName: string | null;
            locationId: string | null;
            appVersion: string | null;
            deviceModel: string | null;
            osVersion: string | null;
            connectedAt: string | null;
            fcmToken: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        Webhook: {
            id: string;
            orgId: string;
            url: string;
            description: string | null;
            events: ("receipt.created" | "command.completed" | "command.failed" | "command.timeout" | "device.online" | "device.offline" | "report.generated")[];
            enabled: boolean;
            /** @description Deliveries that ended failed in a row */
            failureCount: number;
            lastDeliveryAt: string | null;
            lastDeliveryStatus: ("success" | "failed") | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            createdBy: string;
        };
        WebhookDelivery: {
            id: string;
            webhookId: string;
            orgId: string;
            eventType: "receipt.created" | "command.completed" | "command.failed" | "command.timeout" | "device.online" | "device.offline" | "report.generated" | "webhook.test";
            /** @description The body as it is sent */
            payload: {
                /** @description `evt_...`; the same however often it comes */
                id: string;
                type: string;
                /**
                 * Format: date-time
                 * @description When it happened
                 */
                createdAt: string;
                orgId: string;
                data: {
                    [key: string]: unknown;
                };
            };
            status: "pending" | "success" | "failed";
            /** @description Attempts made so far */
            attempt: number;
            httpStatus: number | null;
            responseBody: string | null;
            error: string | null;
            /** @description What `error` is about, for programs; null where there is none */
            failure: ("answered" | "late" | "refused" | "unreachable" | "unknown_name" | "no_lookup" | "closed" | "certificate_expired" | "certificate_early" | "certificate_name" | "certificate_authority" | "no_tls" | "no_ca_file" | "long_headers" | "not_http" | "disabled" | "not_allowed" | "other") | null;
            /** Format: date-time */
            createdAt: string;
            attemptedAt: string | null;
            /** @description Each attempt in its order; of deliveries made before this was kept, the one that arrived */
            attempts: {
                /** @description 1 for the first */
                number: number;
                /** Format: date-time */
                attemptedAt: string;
                httpStatus: number | null;
                responseBody: string | null;
                error: string | null;
                /** @description What `error` is about, for programs; null where there is none */
                failure: ("answered" | "late" | "refused" | "unreachable" | "unknown_name" | "no_lookup" | "closed" | "certificate_expired" | "certificate_early" | "certificate_name" | "certificate_authority" | "no_tls" | "no_ca_file" | "long_headers" | "not_http" | "disabled" | "not_allowed" | "other") | null;
            }[];
            nextAttemptAt: string | null;
        };
        Report: {
            id: string;
            orgId: string;
            deviceId: string;
            locationId: string | null;
            commandId: string;
            reportNumber: number | null;
            type: "x_report" | "z_report";
            receiptCount: number | null;
            reversalCount: number | null;
            totals: {
                gross: number | null;
                reversals: number | null;
                cashIn: number | null;
                cashOut: number | null;
                cashBalance: number | null;
            };
            vat: {
                group: string;
                rate: number | null;
                /** @description Currency units */
                turnover: number;
                tax: number | null;
            }[] | null;
            payments: {
                method: "cash" | "card" | "check" | "credit" | "coupons" | "meal-vouchers" | "value-tickets" | "voucher" | "modern-payment" | "card-advance" | "foreign-currency" | "bank" | "ext-coupons" | "packaging" | "internal-usage" | "damage" | "reserved1" | "reserved2" | "other";
                /** @description Currency units */
                amount: number;
            }[] | null;
            openedAt: string | null;
            closedAt: string | null;
            fiscalMemorySerialNumber: string | null;
            lastDocumentNumber?: string | null;
            currency: string | null;
            /**
             * Format: date-time
             * @description When the device was asked for it: what was printed before belongs to it
             */
            bookedAt: string;
            /**
             * Format: date
             * @description Of `bookedAt`, by the clocks of the place where the device stands
             */
            date: string;
            /** Format: date-time */
            createdAt: string;
            /** @description Of a printer that the gateway simulates: nothing of it is fiscal */
            simulated: boolean;
        };
        SummaryBucket: {
            /** @description A date, an hour with its offset from UTC, a tender, a VAT group or the id of a device */
            key: string;
            /** Format: date-time */
            from?: string;
            /** Format: date-time */
            to?: string;
            currency: string;
            receiptCount: number;
            reversalCount: number;
            refundCount: number;
            /** @description Currency units */
            gross: number;
            /** @description Currency units */
            reversals: number;
            /** @description Currency units */
            refunds: number;
            /** @description Currency units */
            net: number;
        };
        Receipt: {
            id: string;
            orgId: string;
            deviceId: string;
            locationId: string | null;
            commandId: string | null;
            apiKeyId: string | null;
            type: "sale" | "refund" | "storno";
            fiscalId: string | null;
            receiptNumber: string | null;
            uniqueSaleNumber: string | null;
            fiscalMemorySerialNumber: string | null;
            zReportNumber: string | null;
            /**
             * Format: date-time
             * @description By the clock of whatever printed it
             */
            issuedAt: string;
            /**
             * Format: date-time
             * @description Where sums and reports count it: for what the gateway printed when it was stored, by the gateway's clock, else issuedAt
             */
            bookedAt: string;
            currency: string;
            items: {
                name: string;
                quantity: number;
                price: number;
                vatGroup: string;
                department?: number;
                unit?: string;
            }[];
            subtotalModifiers: {
                type: "discount-amount" | "surcharge-amount";
                value: number;
            }[];
            payments: {
                method: "cash" | "card" | "check" | "credit" | "coupons" | "meal-vouchers" | "value-tickets" | "voucher" | "modern-payment" | "card-advance" | "foreign-currency" | "bank" | "ext-coupons" | "packaging" | "internal-usage" | "damage" | "reserved1" | "reserved2" | "other";
                amount: number;
            }[];
            total: number;
            customerCif: string | null;
            originalReceiptId: string | null;
            source: "command" | "api";
            /** Format: date-time */
            createdAt: string;
            /** @description Of a printer that the gateway simulates: nothing of it is fiscal */
            simulated: boolean;
        };
        Reversible: {
            /** @description What the lines have left */
            amount: number;
            /** @description All lines of the sale in their order; none of what is no sale */
            lines: {
                /** @description Which line of the sale, from 0 */
                line: number;
                name: string;
                vatGroup: string;
                /** @description What is left to reverse */
                quantity: number;
                /** @description What that comes to, with its part of what was taken off or added to the whole */
                amount: number;
            }[];
            /** @description What was paid in each tender and has not gone back in the same one */
            payments: {
                method: "cash" | "card" | "check" | "credit" | "coupons" | "meal-vouchers" | "value-tickets" | "voucher" | "modern-payment" | "card-advance" | "foreign-currency" | "bank" | "ext-coupons" | "packaging" | "internal-usage" | "damage" | "reserved1" | "reserved2" | "other";
                amount: number;
            }[];
            tenders: ("cash" | "card" | "check" | "credit" | "coupons" | "meal-vouchers" | "value-tickets" | "voucher" | "modern-payment" | "card-advance" | "foreign-currency" | "bank" | "ext-coupons" | "packaging" | "internal-usage" | "damage" | "reserved1" | "reserved2" | "other")[] | null;
        };
        ReceiptCreatedEvent: {
            /** @description `evt_...`; the same however often it comes */
            id: string;
            /** @constant */
            type: "receipt.created";
            /**
             * Format: date-time
             * @description When it happened
             */
            createdAt: string;
            orgId: string;
            data: {
                receipt: components["schemas"]["Receipt"];
            };
        };
        CommandCompletedEvent: {
            /** @description `evt_...`; the same however often it comes */
            id: string;
            /** @constant */
            type: "command.completed";
            /**
             * Format: date-time
             * @description When it happened
             */
            createdAt: string;
            orgId: string;
            data: {
                command: components["schemas"]["Command"];
            };
        };
        CommandFailedEvent: {
            /** @description `evt_...`; the same however often it comes */
            id: string;
            /** @constant */
            type: "command.failed";
            /**
             * Format: date-time
             * @description When it happened
             */
            createdAt: string;
            orgId: string;
            data: {
                command: components["schemas"]["Command"];
            };
        };
        CommandTimeoutEvent: {
            /** @description `evt_...`; the same however often it comes */
            id: string;
            /** @constant */
            type: "command.timeout";
            /**
             * Format: date-time
             * @description When it happened
             */
            createdAt: string;
            orgId: string;
            data: {
                command: components["schemas"]["Command"];
            };
        };
        DeviceOnlineEvent: {
            /** @description `evt_...`; the same however often it comes */
            id: string;
            /** @constant */
            type: "device.online";
            /**
             * Format: date-time
             * @description When it happened
             */
            createdAt: string;
            orgId: string;
            data: {
                device: components["schemas"]["Device"];
                controllerId: string | null;
            };
        };
        DeviceOfflineEvent: {
            /** @description `evt_...`; the same however often it comes */
            id: string;
            /** @constant */
            type: "device.offline";
            /**
             * Format: date-time
             * @description When it happened
             */
            createdAt: string;
            orgId: string;
            data: {
                device: components["schemas"]["Device"];
                controllerId: string | null;
            };
        };
        ReportGeneratedEvent: {
            /** @description `evt_...`; the same however often it comes */
            id: string;
            /** @constant */
            type: "report.generated";
            /**
             * Format: date-time
             * @description When it happened
             */
            createdAt: string;
            orgId: string;
            data: {
                report: components["schemas"]["Report"];
            };
        };
        WebhookTestEvent: {
            /** @description `evt_...`; the same however often it comes */
            id: string;
            /** @constant */
            type: "webhook.test";
            /**
             * Format: date-time
             * @description When it happened
             */
            createdAt: string;
            orgId: string;
            data: {
                /** @constant */
                test: true;
                message: string;
            };
        };
        Error: {
            error: {
                /**
                 * @description What each means, and what a till does: /docs/errors.html#conflict and so on
                 * @enum {string}
                 */
                code: "BAD_REQUEST" | "VALIDATION_ERROR" | "UNAUTHORIZED" | "TOKEN_EXPIRED" | "FORBIDDEN" | "TIER_LIMIT_EXCEEDED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "UNPROCESSABLE_ENTITY" | "RATE_LIMIT_EXCEEDED" | "INTERNAL_ERROR" | "SERVICE_UNAVAILABLE";
                /** @description For logs and people; not to be parsed */
                message: string;
                /** @description With VALIDATION_ERROR a list of { path, message } */
                details?: unknown;
            };
        };
        RateLimited: {
            /** @enum {string} */
            code: "RATE_LIMIT_EXCEEDED";
            message: string;
            /** @enum {integer} */
            status: 429;
        };
    };
    responses: {
        /** @description Refused or failed; the code says why */
        Error: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `RATE_LIMIT_EXCEEDED`: too many requests in the window; wait for `Retry-After` */
        RateLimited: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RateLimited"];
            };
        };
        /** @description `BAD_REQUEST` or `VALIDATION_ERROR`: The query or the body is not right */
        Invalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `UNAUTHORIZED` or `TOKEN_EXPIRED`: No valid credential */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `FORBIDDEN` or `TIER_LIMIT_EXCEEDED`: The credential does not cover this, or the plan does not */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `NOT_FOUND`: There is no such thing in this organization */
        Unknown: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `INTERNAL_ERROR`: The gateway is at fault; its log tells more under the `X-Request-Id` */
        Failed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `SERVICE_UNAVAILABLE`: The gateway starts, stops or cannot write: try again, see `/health` */
        Unavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `BAD_REQUEST` or `VALIDATION_ERROR`: The query or the body is not right */
        InvalidOnce: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `NOT_FOUND`: There is no such thing in this organization */
        UnknownOnce: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `INTERNAL_ERROR`: The gateway is at fault; its log tells more under the `X-Request-Id` */
        FailedOnce: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `SERVICE_UNAVAILABLE`: The gateway starts, stops or cannot write: try again, see `/health` */
        UnavailableOnce: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `BAD_REQUEST` or `VALIDATION_ERROR`: The query or the body is not right */
        InvalidKeyIgnored: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `NOT_FOUND`: There is no such thing in this organization */
        UnknownKeyIgnored: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `INTERNAL_ERROR`: The gateway is at fault; its log tells more under the `X-Request-Id` */
        FailedKeyIgnored: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `SERVICE_UNAVAILABLE`: The gateway starts, stops or cannot write: try again, see `/health` */
        UnavailableKeyIgnored: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The one that the request brought, or a new one */
        "X-Request-Id": string;
        /** @description Requests that a window allows */
        "RateLimit-Limit": number;
        /** @description Requests that are left in the window */
        "RateLimit-Remaining": number;
        /** @description Seconds until the window ends */
        "RateLimit-Reset": number;
        /** @description Seconds to wait */
        "Retry-After": number;
        /** @description How to say who calls */
        "WWW-Authenticate": string;
        /** @description The answer was given before to this Idempotency-Key */
        "Idempotent-Replayed": "true";
        /** @description Beside it: the request asks for something else */
        "Idempotency-Body-Mismatch": "true";
        /** @description The Idempotency-Key means nothing here: a repeat prints again */
        "Idempotency-Key-Ignored": "true";
        /** @description `attachment`, with the name to save the file under */
        "Content-Disposition": string;
        /** @description With `X-Session: cookie`: the refresh token, or that it is to be forgotten */
        "Set-Cookie": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getAuthRegistration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description An organization may be registered */
                        open: boolean;
                        /** @description There is no organization yet */
                        first: boolean;
                        /** @description From where this is asked; false at the machine itself */
                        needsSetupCode: boolean;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postAuthRegister: {
        parameters: {
            query?: never;
            header?: {
                "X-Session"?: "cookie";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    password: string;
                    name: string;
                    organizationName: string;
                    currency?: string;
                    timezone?: string;
                    /** @description For the first registration, unless it comes from the machine itself: the code that `fiscald serve` prints and `fiscald setup --code` shows */
                    setupCode?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        accessToken: string;
                        /** @description Left out with `X-Session: cookie`: it is the cookie then */
                        refreshToken?: string;
                        /** @constant */
                        tokenType: "Bearer";
                        /** @description Seconds */
                        expiresIn: number;
                        user: components["schemas"]["User"];
                        organization: components["schemas"]["Organization"];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postAuthLogin: {
        parameters: {
            query?: never;
            header?: {
                "X-Session"?: "cookie";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        accessToken: string;
                        /** @description Left out with `X-Session: cookie`: it is the cookie then */
                        refreshToken?: string;
                        /** @constant */
                        tokenType: "Bearer";
                        /** @description Seconds */
                        expiresIn: number;
                        user: components["schemas"]["User"];
                        organization: components["schemas"]["Organization"];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postAuthRefresh: {
        parameters: {
            query?: never;
            header?: {
                "X-Session"?: "cookie";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Needed unless `X-Session: cookie` stands for it; of both, this one counts */
                    refreshToken?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        accessToken: string;
                        /** @description Left out with `X-Session: cookie`: it is the cookie then */
                        refreshToken?: string;
                        /** @constant */
                        tokenType: "Bearer";
                        /** @description Seconds */
                        expiresIn: number;
                        user: components["schemas"]["User"];
                        organization: components["schemas"]["Organization"];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postAuthLogout: {
        parameters: {
            query?: never;
            header?: {
                "X-Session"?: "cookie";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Needed unless `X-Session: cookie` stands for it; of both, this one counts */
                    refreshToken?: string;
                    /** @description True also ends the user's other sessions */
                    everywhere?: boolean;
                };
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postAuthForgotPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                };
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description How the code reaches the user, if there is such a user: by mail, or from the person at the box (`fiscald user reset-code`) where no mail server is configured */
                        delivery: "mail" | "box";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postAuthResetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getAuthMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user: components["schemas"]["User"];
                        organization: components["schemas"]["Organization"];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    patchAuthMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user: components["schemas"]["User"];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postAuthChangePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    currentPassword: string;
                    newPassword: string;
                };
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getOrgMembers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        members: components["schemas"]["User"][];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postOrgMembers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    name: string;
                    role: "owner" | "admin" | "operator";
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        member: components["schemas"]["User"];
                        /** @description Only without a password: the token for POST /auth/reset-password, once, within 7 days. Shown only here */
                        setupToken?: string;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    deleteOrgMembersByUserId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    patchOrgMembersByUserId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    role?: "owner" | "admin" | "operator";
                    active?: boolean;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        member: components["schemas"]["User"];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postOrgMembersByUserIdCode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The token for POST /auth/reset-password, once. Shown only here */
                        setupToken: string;
                        /**
                         * Format: date-time
                         * @description Within 7 days for who has no password yet, within an hour otherwise
                         */
                        expiresAt: string;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getOrgApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"][];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postOrgApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    label: string;
                    scopes: ("receipts" | "receipts:read" | "receipts:admin" | "reports" | "devices" | "devices:read" | "devices:write" | "commands" | "all")[];
                    /**
                     * Format: date-time
                     * @description ISO 8601 with an offset, in the future
                     */
                    expiresAt?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        prefix: string;
                        last4: string;
                        label: string;
                        scopes: ("receipts" | "receipts:read" | "receipts:admin" | "reports" | "devices" | "devices:read" | "devices:write" | "commands" | "all")[];
                        active: boolean;
                        /** Format: date-time */
                        createdAt: string;
                        expiresAt: string | null;
                        /** @description Shown only here */
                        key: string;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getOrgApiKeysRevoked: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @description As it was called when it was revoked */
                        label: string;
                        /** Format: date-time */
                        revokedAt: string;
                    }[];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    deleteOrgApiKeysByKeyId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    patchOrgApiKeysByKeyId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                keyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    label?: string;
                    active?: boolean;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postOrgApiKeysByKeyIdRotate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        prefix: string;
                        last4: string;
                        label: string;
                        scopes: ("receipts" | "receipts:read" | "receipts:admin" | "reports" | "devices" | "devices:read" | "devices:write" | "commands" | "all")[];
                        active: boolean;
                        /** Format: date-time */
                        createdAt: string;
                        expiresAt: string | null;
                        /** @description Shown only here */
                        key: string;
                        rotatedFromId: string;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getOrg: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    patchOrg: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    /** @description Code of ISO 4217 */
                    currency?: string;
                    /** @description IANA name; device clocks run in it where their location names no other, from the next document on */
                    timezone?: string;
                    /** @description `HH:MM`, by the clocks of each device's location: from then on a device whose day has receipts and no Z report has the alert `z_report_due`; null for none */
                    closingTime?: string | null;
                    /** @description The gateway makes the Z report by itself, once for each device and fiscal day, within six hours of `closingTime`: as soon as the device is ready, says that its day is open, and nothing of it waits or is in doubt. Never on simulated printers */
                    closingAutomatic?: boolean;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getOrgLocations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        locations: components["schemas"]["Location"][];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postOrgLocations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @description The postal address; null for none */
                    address?: string | null;
                    /** @description IANA name: the clocks of the location's devices run in it; null for the organization's */
                    timezone?: string | null;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        location: components["schemas"]["Location"];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getOrgLocationsByLocationId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                locationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        location: components["schemas"]["Location"];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    deleteOrgLocationsByLocationId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                locationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    patchOrgLocationsByLocationId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                locationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    /** @description The postal address; null for none */
                    address?: string | null;
                    /** @description IANA name: the clocks of the location's devices run in it; null for the organization's */
                    timezone?: string | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        location: components["schemas"]["Location"];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getBilling: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        plan: "free" | "pro" | "enterprise";
                        limits: {
                            /** @description null: no limit */
                            devices: number | null;
                            /** @description null: no limit */
                            apiKeys: number | null;
                        };
                        usage: {
                            devices: number;
                            apiKeys: number;
                        };
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    putBillingPlan: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    plan: "free" | "pro" | "enterprise";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        plan: "free" | "pro" | "enterprise";
                        limits: {
                            /** @description null: no limit */
                            devices: number | null;
                            /** @description null: no limit */
                            apiKeys: number | null;
                        };
                        usage: {
                            devices: number;
                            apiKeys: number;
                        };
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getAudit: {
        parameters: {
            query?: {
                resource?: string;
                actor?: string;
                action?: "api_key.created" | "api_key.revoked" | "api_key.rotated" | "api_key.updated" | "backup.begun" | "backup.settings_changed" | "closing.made" | "command.asked_again" | "command.cancelled" | "command.device_asked" | "command.late_result" | "command.report_doubted" | "command.report_refused" | "command.resolve" | "controller.registered" | "controller.removed" | "controller.token_registered" | "controller.updated" | "device.created" | "device.printer_accepted" | "device.released" | "device.removed" | "device.state_accepted" | "device.updated" | "location.created" | "location.removed" | "location.updated" | "organization.registered" | "organization.updated" | "plan.changed" | "receipt.create" | "receipt.put_away" | "receipt.storno" | "report.looked_at" | "session.ended_by_token_reuse" | "user.activated" | "user.added" | "user.deactivated" | "user.guessed_at" | "user.password_changed" | "user.password_reset" | "user.password_reset_asked" | "user.removed" | "user.reset_code_issued" | "user.sessions_ended" | "user.updated" | "webhook.created" | "webhook.delivery_replayed" | "webhook.disabled" | "webhook.removed" | "webhook.secret_rotated" | "webhook.tested" | "webhook.updated";
                from?: string;
                to?: string;
                limit?: number;
                startAfter?: string;
                sortBy?: "createdAt";
                sortOrder?: "asc" | "desc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        entries: components["schemas"]["AuditEntry"][];
                        hasMore: boolean;
                        /** @description For `startAfter` of the next page; empty on an empty one */
                        lastId: string;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getBackups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description At the usual place, newest first */
                        backups: components["schemas"]["Backup"][];
                        last: components["schemas"]["Backup"] | null;
                        failed: {
                            /** Format: date-time */
                            at: string;
                            reason: string;
                        } | null;
                        problem: string | null;
                        startedAt: string | null;
                        nextAt: string | null;
                        /** @description USB sticks of the gateway's machine */
                        sticks: {
                            /** @description Its label, else its device; `usb:NAME` names it as a place */
                            name: string;
                            /** @description Only a mounted one can be written to */
                            mounted: boolean;
                            freeBytes: number | null;
                            /** @description That lie on it, newest first */
                            backups: components["schemas"]["Backup"][];
                        }[];
                        settings: components["schemas"]["BackupSettings"];
                        /** @description Lines for the shell of the machine that put the newest backup back; none without */
                        restore: string[];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postBackups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description A USB stick in place of the usual place: `usb` for the only one, `usb:NAME` */
                    to?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        startedAt: string;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    patchBackupsSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Encrypts every backup from now on; earlier ones are opened by the one that they were made with. It is kept on the machine for its user alone and never shown */
                    passphrase?: string;
                    /** @description Empty for the state directory, or a USB stick; folders are set at the box */
                    to?: string;
                    at?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        settings: components["schemas"]["BackupSettings"];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getNetwork: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        hostname: string;
                        mdnsName: string | null;
                        /** @description Where tills, phones and browsers reach it, the best first */
                        addresses: {
                            url: string;
                            host: string;
                            kind: "name" | "address";
                            /** @description HTTPS */
                            secure: boolean;
                            /** @description The URL as a QR code: a whole SVG image */
                            qr: string;
                        }[];
                        /** @description It listens to its own machine alone */
                        onlyHere: boolean;
                        http: {
                            port: number;
                            /** @description What plain HTTP sends on to HTTPS, as `http.redirect` where that counts */
                            redirect: "all" | "pages" | "none";
                            /** @description Addresses and networks of old tills that are served over plain HTTP all the same */
                            plainFrom: string[];
                            /** @description A proxy in front decides what is sent on */
                            behindProxy: boolean;
                        };
                        https: {
                            status: "ok" | "degraded" | "failed";
                            detail: string | null;
                            source: "own" | "acme" | "files";
                            port: number;
                            certificate: {
                                /** @description Names and addresses that it is good for */
                                names: string[];
                                /** Format: date-time */
                                validFrom: string;
                                /** Format: date-time */
                                validUntil: string;
                                /** @description SHA-256: `AB:CD:...` */
                                fingerprint: string;
                            } | null;
                            authority: {
                                /** @description SHA-256: `AB:CD:...` */
                                fingerprint: string;
                            } | null;
                        } | null;
                        /** @description How these settings are changed, before the next start */
                        settings: {
                            /** @description The settings file, whether there is one yet or not */
                            file: string;
                            /** @description systemd has started the gateway; else somebody has, or another program */
                            isService: boolean;
                            restart: string | null;
                            /** @description What was given otherwise, which counts before the file */
                            given: {
                                key: "http.listen" | "http.redirect" | "http.plainFrom" | "https.certificate" | "mdns.name";
                                by: "flag" | "environment";
                                /** @description As `--http-listen` or `FISCALD_HTTP_LISTEN` */
                                name: string;
                            }[];
                        };
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getUpdate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        version: string;
                        installedBy: "archive" | "package" | "hand";
                        /** @description As in the names of releases: `x64`, `arm64` */
                        architecture: string;
                        /** @description `update.from` says where newer versions are */
                        canLook: boolean;
                        place: string | null;
                        newest: {
                            version: string;
                            /** @description Than the one that runs */
                            isNewer: boolean;
                            /** @description Where its archive is; its signature lies beside it */
                            archive: string;
                            /** Format: date-time */
                            checkedAt: string;
                        } | null;
                        problem: string | null;
                        /** @description Nobody has said whose releases this machine takes */
                        lacksKey: boolean;
                        /** @description Lines for the shell of the machine that bring the newest version */
                        commands: string[];
                        last: {
                            /** Format: date-time */
                            at: string;
                            from: string;
                            /** @description What was to be installed */
                            to: string;
                            outcome: "updated" | "refused" | "went_back" | "broken";
                            reason: string | null;
                            /** @description The database is the one that was saved before the update */
                            databaseRestored: boolean;
                        } | null;
                        brokenOff: {
                            to: string | null;
                            since: string | null;
                            /** @description Line for the shell of the machine that goes back and begins anew */
                            command: string;
                        } | null;
                        /** @description That ran here, newest first */
                        versions: {
                            version: string;
                            /** Format: date-time */
                            since: string;
                        }[];
                        /** @description What was done to the database's schema, newest first */
                        migrations: {
                            name: string;
                            /** Format: date-time */
                            at: string;
                        }[];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postUpdateCheck: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        version: string;
                        installedBy: "archive" | "package" | "hand";
                        /** @description As in the names of releases: `x64`, `arm64` */
                        architecture: string;
                        /** @description `update.from` says where newer versions are */
                        canLook: boolean;
                        place: string | null;
                        newest: {
                            version: string;
                            /** @description Than the one that runs */
                            isNewer: boolean;
                            /** @description Where its archive is; its signature lies beside it */
                            archive: string;
                            /** Format: date-time */
                            checkedAt: string;
                        } | null;
                        problem: string | null;
                        /** @description Nobody has said whose releases this machine takes */
                        lacksKey: boolean;
                        /** @description Lines for the shell of the machine that bring the newest version */
                        commands: string[];
                        last: {
                            /** Format: date-time */
                            at: string;
                            from: string;
                            /** @description What was to be installed */
                            to: string;
                            outcome: "updated" | "refused" | "went_back" | "broken";
                            reason: string | null;
                            /** @description The database is the one that was saved before the update */
                            databaseRestored: boolean;
                        } | null;
                        brokenOff: {
                            to: string | null;
                            since: string | null;
                            /** @description Line for the shell of the machine that goes back and begins anew */
                            command: string;
                        } | null;
                        /** @description That ran here, newest first */
                        versions: {
                            version: string;
                            /** Format: date-time */
                            since: string;
                        }[];
                        /** @description What was done to the database's schema, newest first */
                        migrations: {
                            name: string;
                            /** Format: date-time */
                            at: string;
                        }[];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getDiagnostics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        madeAt: string;
                        version: string;
                        runtime: string;
                        /** @description Operating system, processor, memory */
                        system: string;
                        /** @description Secrets are masked */
                        settings: {
                            [key: string]: unknown;
                        };
                        /** @description Null where no gateway runs, as when fiscald diagnostics made it */
                        health: {
                            status: "ok" | "degraded" | "failed";
                            version: string;
                            uptimeSeconds: number;
                            checks: {
                                database: components["schemas"]["HealthCheck"];
                                disk: components["schemas"]["HealthCheck"];
                                timers: components["schemas"]["HealthCheck"];
                                controllers: components["schemas"]["HealthCheck"];
                                clock: components["schemas"]["HealthCheck"];
                                printers: components["schemas"]["HealthCheck"];
                                https?: components["schemas"]["HealthCheck"];
                                backup?: components["schemas"]["HealthCheck"];
                                replica?: components["schemas"]["HealthCheck"];
                                update?: components["schemas"]["HealthCheck"];
                            };
                        } | null;
                        devices: {
                            id: string;
                            name: string;
                            driver: string;
                            transport: string;
                            connection: string;
                            model: string | null;
                            firmwareVersion: string | null;
                            linkUp: boolean;
                            reason: string | null;
                            waiting: number;
                            alerts: {
                                type: string;
                                /** Format: date-time */
                                detectedAt: string;
                            }[];
                        }[];
                        /** @description The newest, without their payloads */
                        commands: {
                            id: string;
                            deviceId: string;
                            type: string;
                            status: string;
                            /** Format: date-time */
                            createdAt: string;
                            errorCode: string | null;
                            errorMessage: string | null;
                        }[];
                        metrics: string | null;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getDevices: {
        parameters: {
            query?: {
                status?: "online" | "offline" | "busy" | "error";
                locationId?: string;
                controllerId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Device"][];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postDevices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    driver: "vendorA.isl" | "vendorB.isl" | "vendorC.isl" | "vendorD.isl" | "vendorE.zfp" | "vendorF.shtrih" | "custom.serial";
                    transport: "tcp" | "bluetooth" | "serial";
                    /** @description The id of a location, or any name for a place */
                    locationId: string;
                    /** @description host and port for tcp, address for bluetooth and serial */
                    connectionParams: {
                        host: string;
                        port: number;
                        /** @description Profile of the device, on drivers with profiles; found out when left out */
                        profile?: string;
                    } | {
                        /** @description AA:BB:CC:DD:EE:FF, with #channel where the RFCOMM channel must be named */
                        address: string;
                        /** @description Profile of the device, on drivers with profiles; found out when left out */
                        profile?: string;
                    } | {
                        /** @description Device path, best /dev/serial/by-id/..., ?baud=&parity=&dataBits=&stopBits=&flow= */
                        address: string;
                        /** @description Profile of the device, on drivers with profiles; found out when left out */
                        profile?: string;
                    };
                    managedBy?: "builtin" | "remote";
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Device"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getDevicesByDeviceId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Device"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    deleteDevicesByDeviceId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    patchDevicesByDeviceId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    driver?: "vendorA.isl" | "vendorB.isl" | "vendorC.isl" | "vendorD.isl" | "vendorE.zfp" | "vendorF.shtrih" | "custom.serial";
                    transport?: "tcp" | "bluetooth" | "serial";
                    /** @description host and port for tcp, address for bluetooth and serial */
                    connectionParams?: {
                        host: string;
                        port: number;
                        /** @description Profile of the device, on drivers with profiles; found out when left out */
                        profile?: string;
                    } | {
                        /** @description AA:BB:CC:DD:EE:FF, with #channel where the RFCOMM channel must be named */
                        address: string;
                        /** @description Profile of the device, on drivers with profiles; found out when left out */
                        profile?: string;
                    } | {
                        /** @description Device path, best /dev/serial/by-id/..., ?baud=&parity=&dataBits=&stopBits=&flow= */
                        address: string;
                        /** @description Profile of the device, on drivers with profiles; found out when left out */
                        profile?: string;
                    };
                    /** @description The id of a location, or any name for a place */
                    locationId?: string;
                    managedBy?: "builtin" | "remote";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Device"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postDevicesByDeviceIdRelease: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The device's current controller */
                    controllerId: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Device"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postDevicesByDeviceIdAcceptState: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Device"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postDevicesByDeviceIdAcceptPrinter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Device"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getDevicesPorts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ports: {
                            /** @description Device path; it may change when the cable is replugged */
                            path: string;
                            byId: string | null;
                            vendorId: string | null;
                            productId: string | null;
                            serialNumber: string | null;
                            manufacturer: string | null;
                            product: string | null;
                            location: string | null;
                        }[];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getDevicesStatuses: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        statuses: {
                            [key: string]: {
                                wsConnected: boolean;
                                controllerOnline: boolean;
                                storedStatus: "online" | "offline" | "busy" | "error";
                                effectiveStatus: "online" | "offline";
                                lastSeen: string | null;
                                reason: string | null;
                                otherPrinter: {
                                    serialNumber: string | null;
                                    fiscalMemorySerialNumber: string | null;
                                    deviceId: string | null;
                                } | null;
                            };
                        };
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getDevicesAlerts: {
        parameters: {
            query?: {
                severity?: "warning" | "error" | "info";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        alerts: {
                            [key: string]: components["schemas"]["Alert"][];
                        };
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getDevicesByDeviceIdStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deviceId: string;
                        wsConnected: boolean;
                        controllerOnline: boolean;
                        storedStatus: "online" | "offline" | "busy" | "error";
                        effectiveStatus: "online" | "offline";
                        lastSeen: string | null;
                        reason: string | null;
                        otherPrinter: {
                            serialNumber: string | null;
                            fiscalMemorySerialNumber: string | null;
                            deviceId: string | null;
                        } | null;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getDevicesByDeviceIdConnectionHistory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        events: {
                            type: "connected" | "disconnected";
                            /** Format: date-time */
                            timestamp: string;
                            deviceModel: string;
                            appVersion: string;
                            osVersion: string;
                            code: number | null;
                            reason: string | null;
                        }[];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getDevicesByDeviceIdAlerts: {
        parameters: {
            query?: {
                severity?: "warning" | "error" | "info";
            };
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deviceId: string;
                        alerts: components["schemas"]["Alert"][];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getAlerts: {
        parameters: {
            query?: {
                state?: "standing" | "past" | "all";
                deviceId?: string;
                severity?: "warning" | "error" | "info";
                limit?: number;
                startAfter?: string;
                sortBy?: "detectedAt";
                sortOrder?: "asc" | "desc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        alerts: components["schemas"]["AlertPeriod"][];
                        hasMore: boolean;
                        /** @description For `startAfter` of the next page; empty on an empty one */
                        lastId: string;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getAlertsByAlertId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                alertId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        alert: components["schemas"]["AlertPeriod"];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postDevicesSimulated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @constant */
                    driver: "vendorA.isl";
                    /**
                     * @default x
                     * @enum {string}
                     */
                    model?: "x" | "ro-x" | "p" | "c" | "c-fw3" | "ro-legacy";
                    /** @description The id of a location, or any name for a place */
                    locationId: string;
                } | {
                    name: string;
                    /** @constant */
                    driver: "vendorB.isl";
                    /**
                     * @default dy
                     * @enum {string}
                     */
                    model?: "dy";
                    /** @description The id of a location, or any name for a place */
                    locationId: string;
                } | {
                    name: string;
                    /** @constant */
                    driver: "vendorC.isl";
                    /**
                     * @default ed
                     * @enum {string}
                     */
                    model?: "ed";
                    /** @description The id of a location, or any name for a place */
                    locationId: string;
                } | {
                    name: string;
                    /** @constant */
                    driver: "vendorD.isl";
                    /**
                     * @default in
                     * @enum {string}
                     */
                    model?: "in";
                    /** @description The id of a location, or any name for a place */
                    locationId: string;
                } | {
                    name: string;
                    /** @constant */
                    driver: "vendorE.zfp";
                    /**
                     * @default v1
                     * @enum {string}
                     */
                    model?: "v1" | "v2";
                    /** @description The id of a location, or any name for a place */
                    locationId: string;
                } | {
                    name: string;
                    /** @constant */
                    driver: "vendorF.shtrih";
                    /**
                     * @default fr-k
                     * @enum {string}
                     */
                    model?: "fr-k" | "light" | "mobile";
                    /** @description The id of a location, or any name for a place */
                    locationId: string;
                } | {
                    name: string;
                    /** @constant */
                    driver: "custom.serial";
                    /**
                     * @default gen3
                     * @enum {string}
                     */
                    model?: "gen3" | "gen2" | "xonxoff";
                    /** @description The id of a location, or any name for a place */
                    locationId: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Device"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getDevicesByDeviceIdPaper: {
        parameters: {
            query?: {
                format?: "svg" | "text";
                last?: number;
            };
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                    "text/plain": string;
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postDevicesByDeviceIdFaults: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    kind: "paper_out";
                    /** @description The frame that it strikes, counted from the next one as 1. Without it a lasting condition, `unplug` and `other_hands` act at once, any other fault at the next frame */
                    at?: number;
                    mode?: "refused" | "registered";
                } | {
                    /** @constant */
                    kind: "paper_low";
                    /** @description The frame that it strikes, counted from the next one as 1. Without it a lasting condition, `unplug` and `other_hands` act at once, any other fault at the next frame */
                    at?: number;
                } | {
                    /** @constant */
                    kind: "cover_open";
                    /** @description The frame that it strikes, counted from the next one as 1. Without it a lasting condition, `unplug` and `other_hands` act at once, any other fault at the next frame */
                    at?: number;
                } | {
                    /** @constant */
                    kind: "fiscal_memory_full";
                    /** @description The frame that it strikes, counted from the next one as 1. Without it a lasting condition, `unplug` and `other_hands` act at once, any other fault at the next frame */
                    at?: number;
                } | {
                    /** @constant */
                    kind: "fiscal_memory_near_full";
                    /** @description The frame that it strikes, counted from the next one as 1. Without it a lasting condition, `unplug` and `other_hands` act at once, any other fault at the next frame */
                    at?: number;
                } | {
                    /** @constant */
                    kind: "hardware_error";
                    /** @description The frame that it strikes, counted from the next one as 1. Without it a lasting condition, `unplug` and `other_hands` act at once, any other fault at the next frame */
                    at?: number;
                } | {
                    /** @constant */
                    kind: "day_over";
                    /** @description The frame that it strikes, counted from the next one as 1. Without it a lasting condition, `unplug` and `other_hands` act at once, any other fault at the next frame */
                    at?: number;
                } | {
                    /** @constant */
                    kind: "clock";
                    /** @description The frame that it strikes, counted from the next one as 1. Without it a lasting condition, `unplug` and `other_hands` act at once, any other fault at the next frame */
                    at?: number;
                    shiftMs: number;
                } | {
                    /** @constant */
                    kind: "clock_lost";
                    /** @description The frame that it strikes, counted from the next one as 1. Without it a lasting condition, `unplug` and `other_hands` act at once, any other fault at the next frame */
                    at?: number;
                } | {
                    /** @constant */
                    kind: "drop_before";
                    /** @description The frame that it strikes, counted from the next one as 1. Without it a lasting condition, `unplug` and `other_hands` act at once, any other fault at the next frame */
                    at?: number;
                } | {
                    /** @constant */
                    kind: "drop_after";
                    /** @description The frame that it strikes, counted from the next one as 1. Without it a lasting condition, `unplug` and `other_hands` act at once, any other fault at the next frame */
                    at?: number;
                } | {
                    /** @constant */
                    kind: "garble";
                    /** @description The frame that it strikes, counted from the next one as 1. Without it a lasting condition, `unplug` and `other_hands` act at once, any other fault at the next frame */
                    at?: number;
                } | {
                    /** @constant */
                    kind: "delay";
                    /** @description The frame that it strikes, counted from the next one as 1. Without it a lasting condition, `unplug` and `other_hands` act at once, any other fault at the next frame */
                    at?: number;
                    ms: number;
                    busy?: boolean;
                } | {
                    /** @constant */
                    kind: "refuse";
                    /** @description The frame that it strikes, counted from the next one as 1. Without it a lasting condition, `unplug` and `other_hands` act at once, any other fault at the next frame */
                    at?: number;
                } | {
                    /** @constant */
                    kind: "deny";
                    /** @description The frame that it strikes, counted from the next one as 1. Without it a lasting condition, `unplug` and `other_hands` act at once, any other fault at the next frame */
                    at?: number;
                } | {
                    /** @constant */
                    kind: "silent";
                    /** @description The frame that it strikes, counted from the next one as 1. Without it a lasting condition, `unplug` and `other_hands` act at once, any other fault at the next frame */
                    at?: number;
                    count?: number;
                } | {
                    /** @constant */
                    kind: "silent_after";
                    /** @description The frame that it strikes, counted from the next one as 1. Without it a lasting condition, `unplug` and `other_hands` act at once, any other fault at the next frame */
                    at?: number;
                    count?: number;
                } | {
                    /** @constant */
                    kind: "hold";
                    /** @description The frame that it strikes, counted from the next one as 1. Without it a lasting condition, `unplug` and `other_hands` act at once, any other fault at the next frame */
                    at?: number;
                    count?: number;
                } | {
                    /** @constant */
                    kind: "power_loss";
                    /** @description The frame that it strikes, counted from the next one as 1. Without it a lasting condition, `unplug` and `other_hands` act at once, any other fault at the next frame */
                    at?: number;
                    when?: "before" | "after";
                    offMs?: number;
                } | {
                    /** @constant */
                    kind: "unplug";
                    /** @description The frame that it strikes, counted from the next one as 1. Without it a lasting condition, `unplug` and `other_hands` act at once, any other fault at the next frame */
                    at?: number;
                    when?: "before" | "after";
                    ms?: number;
                } | {
                    /** @constant */
                    kind: "other_hands";
                    /** @description The frame that it strikes, counted from the next one as 1. Without it a lasting condition, `unplug` and `other_hands` act at once, any other fault at the next frame */
                    at?: number;
                    when?: "before" | "after";
                    deed?: "cancel" | "annul" | "open" | "ring_up" | "finish" | "close_day" | "pay" | "discount" | "take_back" | "z_report" | "cash";
                    amountMinor?: number;
                };
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    deleteDevicesByDeviceIdFaults: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postDevicesDetect: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    transport?: "tcp" | "bluetooth" | "serial";
                    /** @description For tcp */
                    host?: string;
                    /** @description For tcp; when absent those that the drivers' devices use */
                    port?: number;
                    /** @description For bluetooth, and for serial as connectionParams.address; all ports when absent */
                    address?: string;
                    /** @description The drivers to ask with; all when absent */
                    drivers?: ("vendorA.isl" | "vendorB.isl" | "vendorC.isl" | "vendorD.isl" | "vendorE.zfp" | "vendorF.shtrih" | "custom.serial")[];
                    /** @description The connected controller that looks; the built-in one when absent */
                    controllerId?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Each with the driver, transport and connectionParams to register it with */
                        found: {
                            driver: "vendorA.isl" | "vendorB.isl" | "vendorC.isl" | "vendorD.isl" | "vendorE.zfp" | "vendorF.shtrih" | "custom.serial";
                            transport: "tcp" | "bluetooth" | "serial";
                            connectionParams: {
                                host: string;
                                port: number;
                                /** @description Profile of the device, on drivers with profiles; found out when left out */
                                profile?: string;
                            } | {
                                /** @description AA:BB:CC:DD:EE:FF, with #channel where the RFCOMM channel must be named */
                                address: string;
                                /** @description Profile of the device, on drivers with profiles; found out when left out */
                                profile?: string;
                            } | {
                                /** @description Device path, best /dev/serial/by-id/..., ?baud=&parity=&dataBits=&stopBits=&flow= */
                                address: string;
                                /** @description Profile of the device, on drivers with profiles; found out when left out */
                                profile?: string;
                            };
                            serialNumber: string | null;
                            fiscalMemorySerialNumber: string | null;
                            model: string | null;
                            firmwareVersion: string | null;
                        }[];
                        tried: {
                            transport: "tcp" | "bluetooth" | "serial";
                            connectionParams: {
                                host: string;
                                port: number;
                                /** @description Profile of the device, on drivers with profiles; found out when left out */
                                profile?: string;
                            } | {
                                /** @description AA:BB:CC:DD:EE:FF, with #channel where the RFCOMM channel must be named */
                                address: string;
                                /** @description Profile of the device, on drivers with profiles; found out when left out */
                                profile?: string;
                            } | {
                                /** @description Device path, best /dev/serial/by-id/..., ?baud=&parity=&dataBits=&stopBits=&flow= */
                                address: string;
                                /** @description Profile of the device, on drivers with profiles; found out when left out */
                                profile?: string;
                            };
                            outcome: "found" | "unknown_device" | "unrecognized" | "silent" | "in_use" | "not_opened" | "not_tried";
                            /** @description The same in a sentence */
                            reason: string;
                            /** @description Times that a driver asked there */
                            probes: number;
                        }[];
                    };
                    "application/x-ndjson": {
                        probing: {
                            driver: "vendorA.isl" | "vendorB.isl" | "vendorC.isl" | "vendorD.isl" | "vendorE.zfp" | "vendorF.shtrih" | "custom.serial";
                            transport: "tcp" | "bluetooth" | "serial";
                            connectionParams: {
                                host: string;
                                port: number;
                                /** @description Profile of the device, on drivers with profiles; found out when left out */
                                profile?: string;
                            } | {
                                /** @description AA:BB:CC:DD:EE:FF, with #channel where the RFCOMM channel must be named */
                                address: string;
                                /** @description Profile of the device, on drivers with profiles; found out when left out */
                                profile?: string;
                            } | {
                                /** @description Device path, best /dev/serial/by-id/..., ?baud=&parity=&dataBits=&stopBits=&flow= */
                                address: string;
                                /** @description Profile of the device, on drivers with profiles; found out when left out */
                                profile?: string;
                            };
                            /** @description Probes that are over */
                            done: number;
                            total: number;
                        };
                    } | {
                        found: {
                            driver: "vendorA.isl" | "vendorB.isl" | "vendorC.isl" | "vendorD.isl" | "vendorE.zfp" | "vendorF.shtrih" | "custom.serial";
                            transport: "tcp" | "bluetooth" | "serial";
                            connectionParams: {
                                host: string;
                                port: number;
                                /** @description Profile of the device, on drivers with profiles; found out when left out */
                                profile?: string;
                            } | {
                                /** @description AA:BB:CC:DD:EE:FF, with #channel where the RFCOMM channel must be named */
                                address: string;
                                /** @description Profile of the device, on drivers with profiles; found out when left out */
                                profile?: string;
                            } | {
                                /** @description Device path, best /dev/serial/by-id/..., ?baud=&parity=&dataBits=&stopBits=&flow= */
                                address: string;
                                /** @description Profile of the device, on drivers with profiles; found out when left out */
                                profile?: string;
                            };
                            serialNumber: string | null;
                            fiscalMemorySerialNumber: string | null;
                            model: string | null;
                            firmwareVersion: string | null;
                        };
                    } | {
                        dropped: number;
                    } | {
                        result: {
                            /** @description Each with the driver, transport and connectionParams to register it with */
                            found: {
                                driver: "vendorA.isl" | "vendorB.isl" | "vendorC.isl" | "vendorD.isl" | "vendorE.zfp" | "vendorF.shtrih" | "custom.serial";
                                transport: "tcp" | "bluetooth" | "serial";
                                connectionParams: {
                                    host: string;
                                    port: number;
                                    /** @description Profile of the device, on drivers with profiles; found out when left out */
                                    profile?: string;
                                } | {
                                    /** @description AA:BB:CC:DD:EE:FF, with #channel where the RFCOMM channel must be named */
                                    address: string;
                                    /** @description Profile of the device, on drivers with profiles; found out when left out */
                                    profile?: string;
                                } | {
                                    /** @description Device path, best /dev/serial/by-id/..., ?baud=&parity=&dataBits=&stopBits=&flow= */
                                    address: string;
                                    /** @description Profile of the device, on drivers with profiles; found out when left out */
                                    profile?: string;
                                };
                                serialNumber: string | null;
                                fiscalMemorySerialNumber: string | null;
                                model: string | null;
                                firmwareVersion: string | null;
                            }[];
                            tried: {
                                transport: "tcp" | "bluetooth" | "serial";
                                connectionParams: {
                                    host: string;
                                    port: number;
                                    /** @description Profile of the device, on drivers with profiles; found out when left out */
                                    profile?: string;
                                } | {
                                    /** @description AA:BB:CC:DD:EE:FF, with #channel where the RFCOMM channel must be named */
                                    address: string;
                                    /** @description Profile of the device, on drivers with profiles; found out when left out */
                                    profile?: string;
                                } | {
                                    /** @description Device path, best /dev/serial/by-id/..., ?baud=&parity=&dataBits=&stopBits=&flow= */
                                    address: string;
                                    /** @description Profile of the device, on drivers with profiles; found out when left out */
                                    profile?: string;
                                };
                                outcome: "found" | "unknown_device" | "unrecognized" | "silent" | "in_use" | "not_opened" | "not_tried";
                                /** @description The same in a sentence */
                                reason: string;
                                /** @description Times that a driver asked there */
                                probes: number;
                            }[];
                        };
                    } | {
                        error: {
                            code: string;
                            message: string;
                        };
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getDevicesByDeviceIdTrace: {
        parameters: {
            query?: {
                follow?: boolean;
                last?: number;
            };
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deviceId: string;
                        entries: ({
                            /** @constant */
                            kind: "frame";
                            /** @description Counts the entries of the device */
                            number: number;
                            /** Format: date-time */
                            at: string;
                            /** @description How often the same came in a row */
                            times: number;
                            /**
                             * Format: date-time
                             * @description The last of those times
                             */
                            lastAt: string;
                            /** @description out is to the device */
                            direction: "out" | "in";
                            /** @description What it is, such as `48 open sale #2Ch` */
                            name: string;
                            /** @description Its content for people; secrets are `****` */
                            text: string;
                            /** @description Its first 256 bytes; secret ones and their checksum are `**` */
                            hex: string;
                            /** @description Bytes on the line, however many are shown */
                            byteCount: number;
                            /** @description No frame, or not a whole one */
                            isDamaged: boolean;
                        } | {
                            /** @constant */
                            kind: "line";
                            /** @description Counts the entries of the device */
                            number: number;
                            /** Format: date-time */
                            at: string;
                            /** @description How often the same came in a row */
                            times: number;
                            /**
                             * Format: date-time
                             * @description The last of those times
                             */
                            lastAt: string;
                            event: "opened" | "identified" | "failed" | "closed";
                            /** @description Where, which device, or why */
                            text: string;
                        })[];
                    };
                    "application/x-ndjson": ({
                        /** @constant */
                        kind: "frame";
                        /** @description Counts the entries of the device */
                        number: number;
                        /** Format: date-time */
                        at: string;
                        /** @description How often the same came in a row */
                        times: number;
                        /**
                         * Format: date-time
                         * @description The last of those times
                         */
                        lastAt: string;
                        /** @description out is to the device */
                        direction: "out" | "in";
                        /** @description What it is, such as `48 open sale #2Ch` */
                        name: string;
                        /** @description Its content for people; secrets are `****` */
                        text: string;
                        /** @description Its first 256 bytes; secret ones and their checksum are `**` */
                        hex: string;
                        /** @description Bytes on the line, however many are shown */
                        byteCount: number;
                        /** @description No frame, or not a whole one */
                        isDamaged: boolean;
                    } | {
                        /** @constant */
                        kind: "line";
                        /** @description Counts the entries of the device */
                        number: number;
                        /** Format: date-time */
                        at: string;
                        /** @description How often the same came in a row */
                        times: number;
                        /**
                         * Format: date-time
                         * @description The last of those times
                         */
                        lastAt: string;
                        event: "opened" | "identified" | "failed" | "closed";
                        /** @description Where, which device, or why */
                        text: string;
                    }) | {
                        /** @constant */
                        kind: "dropped";
                        /** @description Entries left out because they were read too slowly */
                        count: number;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postDevicesByDeviceIdCommands: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommandSubmission"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Command"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getCommands: {
        parameters: {
            query?: {
                deviceId?: string;
                status?: "pending" | "sent" | "processing" | "completed" | "failed" | "timeout";
                type?: ("print_receipt" | "void_receipt" | "print_reversal_receipt" | "void_open_receipt" | "print_duplicate" | "non_fiscal_receipt" | "x_report" | "z_report" | "cash_in" | "cash_out" | "get_cash_amount" | "open_drawer" | "set_datetime" | "set_logo" | "delete_logo" | "set_vat_rates" | "set_header_footer" | "set_operator" | "get_operators" | "get_status" | "get_info" | "get_last_receipt_info" | "get_date_time" | "get_vat_rates" | "get_vat_capabilities" | "get_header_footer_capabilities" | "get_header_footer" | "get_operator_capabilities" | "get_logo_capabilities" | "raw_command")[];
                from?: string;
                to?: string;
                limit?: number;
                startAfter?: string;
                sortBy?: "createdAt" | "updatedAt";
                sortOrder?: "asc" | "desc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        commands: components["schemas"]["Command"][];
                        hasMore: boolean;
                        /** @description For `startAfter` of the next page; empty on an empty one */
                        lastId: string;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postCommands: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    deviceId: string;
                } & components["schemas"]["CommandSubmission"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: components["schemas"]["Command"];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getCommandsByCommandId: {
        parameters: {
            query?: {
                wait?: number;
            };
            header?: never;
            path: {
                commandId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: components["schemas"]["Command"];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    deleteCommandsByCommandId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                commandId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: components["schemas"]["Command"];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postCommandsByCommandIdResolve: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                commandId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    outcome: "printed" | "not_printed";
                    /** @description The number on the paper; only with `outcome` `printed`, 400 with `not_printed` */
                    fiscalId?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: components["schemas"]["Command"];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getControllers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        instances: {
                            controllerId: string;
                            controllerName: string;
                            appVersion: string;
                            deviceModel: string;
                            osVersion: string;
                            /** Format: date-time */
                            connectedAt: string;
                            /** @description Devices that it serves and reaches */
                            connectedDevices: string[];
                        }[];
                        /** @description Remote controllers, connected or not, of which something is kept; at most 500, those heard of last */
                        known: {
                            controllerId: string;
                            controllerName: string | null;
                            locationId: string | null;
                            appVersion: string | null;
                            deviceModel: string | null;
                            osVersion: string | null;
                            connected: boolean;
                            /** @description When its last connection ended, or began if nothing is known of its end */
                            lastSeenAt: string | null;
                            /** @description It has registered a push token */
                            canBeWoken: boolean;
                            /** @description Devices that it served last */
                            deviceIds: string[];
                            /** Format: date-time */
                            createdAt: string;
                            /** Format: date-time */
                            updatedAt: string;
                        }[];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postControllersByControllerId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                controllerId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    locationId: string;
                    controllerName?: string;
                    appVersion?: string;
                    deviceModel?: string;
                    osVersion?: string;
                    /**
                     * Format: date-time
                     * @description ISO 8601 with an offset
                     */
                    connectedAt?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Controller"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    deleteControllersByControllerId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                controllerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    patchControllersByControllerId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                controllerId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    locationId?: string;
                    controllerName?: string;
                    appVersion?: string;
                    deviceModel?: string;
                    osVersion?: string;
                    /**
                     * Format: date-time
                     * @description ISO 8601 with an offset
                     */
                    connectedAt?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Controller"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postControllersByControllerIdFcmToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                controllerId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    fcmToken: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        controllerId: string;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getControllersConnect: {
        parameters: {
            query: {
                controllerId: string;
                name?: string;
                appVersion?: string;
                deviceModel?: string;
                osVersion?: string;
                locationId?: string;
                marks?: "0" | "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postEventsTicket: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Opens one connection, once: `?ticket=` */
                        ticket: string;
                        /**
                         * Format: date-time
                         * @description 30 s from now
                         */
                        expiresAt: string;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getEvents: {
        parameters: {
            query?: {
                since?: string;
                ticket?: string;
                beats?: "0" | "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getEventsStream: {
        parameters: {
            query?: {
                since?: string;
                ticket?: string;
            };
            header?: {
                /** @description The event that was heard last; browsers send it by themselves */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": {
                        /** @description `evt_...`; where to go on from: `?since=`, `Last-Event-ID` */
                        id: string;
                        /** @enum {string} */
                        type: "command.updated" | "command.completed" | "command.failed" | "command.timeout" | "receipt.created" | "report.generated" | "device.online" | "device.offline" | "device.state_read" | "device.updated" | "device.released" | "device.alert" | "backup.completed" | "backup.failed" | "controller.connected" | "controller.disconnected";
                        /**
                         * Format: date-time
                         * @description When it happened
                         */
                        createdAt: string;
                        orgId: string;
                        /** @description `command.*` { command }, `device.*` { device, controllerId }, `device.alert` beside that { deviceId, simulated, alerts, appeared, cleared }, `report.generated` { report }, `receipt.created` { receipt }, `controller.*` { controllerId }, `backup.*` { backup: { name, bytes, reason } }: the records of the API */
                        data: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getOrgWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        webhooks: components["schemas"]["Webhook"][];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postOrgWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description https:// only, without user and password, and not at this machine */
                    url: string;
                    description?: string;
                    events: ("receipt.created" | "command.completed" | "command.failed" | "command.timeout" | "device.online" | "device.offline" | "report.generated")[];
                    /** @default true */
                    enabled?: boolean;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        webhook: {
                            id: string;
                            orgId: string;
                            url: string;
                            description: string | null;
                            events: ("receipt.created" | "command.completed" | "command.failed" | "command.timeout" | "device.online" | "device.offline" | "report.generated")[];
                            enabled: boolean;
                            /** @description Deliveries that ended failed in a row */
                            failureCount: number;
                            lastDeliveryAt: string | null;
                            lastDeliveryStatus: ("success" | "failed") | null;
                            /** Format: date-time */
                            createdAt: string;
                            /** Format: date-time */
                            updatedAt: string;
                            createdBy: string;
                            /** @description Signs deliveries; shown only here */
                            secret: string;
                        };
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getOrgWebhooksByWebhookId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        webhook: components["schemas"]["Webhook"];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    deleteOrgWebhooksByWebhookId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    patchOrgWebhooksByWebhookId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description https:// only, without user and password, and not at this machine */
                    url?: string;
                    description?: string;
                    events?: ("receipt.created" | "command.completed" | "command.failed" | "command.timeout" | "device.online" | "device.offline" | "report.generated")[];
                    /** @description true sets failureCount to 0 */
                    enabled?: boolean;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        webhook: components["schemas"]["Webhook"];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postOrgWebhooksByWebhookIdRotateSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Signs deliveries; shown only here */
                        secret: string;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postOrgWebhooksByWebhookIdTest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        delivery: components["schemas"]["WebhookDelivery"];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postOrgWebhooksByWebhookIdReplay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    deliveryId: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        delivery: components["schemas"]["WebhookDelivery"];
                    };
                };
            };
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        delivery: components["schemas"]["WebhookDelivery"];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getOrgWebhooksByWebhookIdDeliveries: {
        parameters: {
            query?: {
                limit?: number;
                status?: "pending" | "success" | "failed";
            };
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deliveries: components["schemas"]["WebhookDelivery"][];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getReports: {
        parameters: {
            query?: {
                deviceId?: string;
                type?: "x_report" | "z_report";
                simulated?: boolean;
                from?: string;
                to?: string;
                limit?: number;
                startAfter?: string;
                sortBy?: "createdAt";
                sortOrder?: "asc" | "desc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        reports: components["schemas"]["Report"][];
                        hasMore: boolean;
                        /** @description For `startAfter` of the next page; empty on an empty one */
                        lastId: string;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getReportsDaily: {
        parameters: {
            query?: {
                date?: string;
                deviceId?: string;
                simulated?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date */
                        date: string;
                        devices: {
                            deviceId: string;
                            locationId: string | null;
                            timezone: string;
                            /** Format: date-time */
                            from: string;
                            /** Format: date-time */
                            to: string;
                            /** @description Of the last receipt, else of the Z report, else the shop's */
                            currency: string;
                            /** @description Of a printer that the gateway simulates: nothing of it is fiscal */
                            simulated: boolean;
                            /** @description Sums of the stored receipts in this currency; amounts are magnitudes, net is what remains */
                            stored: {
                                receiptCount: number;
                                reversalCount: number;
                                refundCount: number;
                                totals: {
                                    /** @description Currency units */
                                    gross: number;
                                    /** @description Currency units */
                                    reversals: number;
                                    /** @description Currency units */
                                    refunds: number;
                                    /** @description Currency units */
                                    net: number;
                                };
                                vat: {
                                    group: string;
                                    /** @description Currency units */
                                    turnover: number;
                                    /** @description Currency units */
                                    reversals: number;
                                    /** @description Currency units */
                                    refunds: number;
                                }[];
                                payments: {
                                    method: "cash" | "card" | "check" | "credit" | "coupons" | "meal-vouchers" | "value-tickets" | "voucher" | "modern-payment" | "card-advance" | "foreign-currency" | "bank" | "ext-coupons" | "packaging" | "internal-usage" | "damage" | "reserved1" | "reserved2" | "other";
                                    /** @description Currency units */
                                    amount: number;
                                    /** @description Currency units */
                                    reversals: number;
                                    /** @description Currency units */
                                    refunds: number;
                                }[];
                            };
                            /** @description The same of receipts in another one, where the shop changed its currency in between: then nothing is compared, and difference is null */
                            otherCurrencies: {
                                currency: string;
                                receiptCount: number;
                                reversalCount: number;
                                refundCount: number;
                                totals: {
                                    /** @description Currency units */
                                    gross: number;
                                    /** @description Currency units */
                                    reversals: number;
                                    /** @description Currency units */
                                    refunds: number;
                                    /** @description Currency units */
                                    net: number;
                                };
                                vat: {
                                    group: string;
                                    /** @description Currency units */
                                    turnover: number;
                                    /** @description Currency units */
                                    reversals: number;
                                    /** @description Currency units */
                                    refunds: number;
                                }[];
                                payments: {
                                    method: "cash" | "card" | "check" | "credit" | "coupons" | "meal-vouchers" | "value-tickets" | "voucher" | "modern-payment" | "card-advance" | "foreign-currency" | "bank" | "ext-coupons" | "packaging" | "internal-usage" | "damage" | "reserved1" | "reserved2" | "other";
                                    /** @description Currency units */
                                    amount: number;
                                    /** @description Currency units */
                                    reversals: number;
                                    /** @description Currency units */
                                    refunds: number;
                                }[];
                            }[];
                            difference: {
                                receiptCount: number | null;
                                reversalCount: number | null;
                                totals: {
                                    gross: number | null;
                                    reversals: number | null;
                                };
                                vat: {
                                    group: string;
                                    /** @description Currency units */
                                    turnover: number;
                                }[] | null;
                                payments: {
                                    method: "cash" | "card" | "check" | "credit" | "coupons" | "meal-vouchers" | "value-tickets" | "voucher" | "modern-payment" | "card-advance" | "foreign-currency" | "bank" | "ext-coupons" | "packaging" | "internal-usage" | "damage" | "reserved1" | "reserved2" | "other";
                                    /** @description Currency units */
                                    amount: number;
                                }[] | null;
                            } | null;
                            balanced: boolean | null;
                            /** @description Each fiscal day that a Z report of the date closed, with all that was printed since the one before; then, with report null, what was printed behind the last one */
                            fiscalDays: {
                                /** Format: date-time */
                                from: string;
                                /** Format: date-time */
                                to: string;
                                /** @description Of the last receipt, else of the Z report, else the shop's */
                                currency: string;
                                report: components["schemas"]["Report"] | null;
                                unseenReports: {
                                    first: number;
                                    last: number;
                                } | null;
                                /** @description Sums of the stored receipts in this currency; amounts are magnitudes, net is what remains */
                                stored: {
                                    receiptCount: number;
                                    reversalCount: number;
                                    refundCount: number;
                                    totals: {
                                        /** @description Currency units */
                                        gross: number;
                                        /** @description Currency units */
                                        reversals: number;
                                        /** @description Currency units */
                                        refunds: number;
                                        /** @description Currency units */
                                        net: number;
                                    };
                                    vat: {
                                        group: string;
                                        /** @description Currency units */
                                        turnover: number;
                                        /** @description Currency units */
                                        reversals: number;
                                        /** @description Currency units */
                                        refunds: number;
                                    }[];
                                    payments: {
                                        method: "cash" | "card" | "check" | "credit" | "coupons" | "meal-vouchers" | "value-tickets" | "voucher" | "modern-payment" | "card-advance" | "foreign-currency" | "bank" | "ext-coupons" | "packaging" | "internal-usage" | "damage" | "reserved1" | "reserved2" | "other";
                                        /** @description Currency units */
                                        amount: number;
                                        /** @description Currency units */
                                        reversals: number;
                                        /** @description Currency units */
                                        refunds: number;
                                    }[];
                                };
                                /** @description The same of receipts in another one, where the shop changed its currency in between: then nothing is compared, and difference is null */
                                otherCurrencies: {
                                    currency: string;
                                    receiptCount: number;
                                    reversalCount: number;
                                    refundCount: number;
                                    totals: {
                                        /** @description Currency units */
                                        gross: number;
                                        /** @description Currency units */
                                        reversals: number;
                                        /** @description Currency units */
                                        refunds: number;
                                        /** @description Currency units */
                                        net: number;
                                    };
                                    vat: {
                                        group: string;
                                        /** @description Currency units */
                                        turnover: number;
                                        /** @description Currency units */
                                        reversals: number;
                                        /** @description Currency units */
                                        refunds: number;
                                    }[];
                                    payments: {
                                        method: "cash" | "card" | "check" | "credit" | "coupons" | "meal-vouchers" | "value-tickets" | "voucher" | "modern-payment" | "card-advance" | "foreign-currency" | "bank" | "ext-coupons" | "packaging" | "internal-usage" | "damage" | "reserved1" | "reserved2" | "other";
                                        /** @description Currency units */
                                        amount: number;
                                        /** @description Currency units */
                                        reversals: number;
                                        /** @description Currency units */
                                        refunds: number;
                                    }[];
                                }[];
                                difference: {
                                    receiptCount: number | null;
                                    reversalCount: number | null;
                                    totals: {
                                        gross: number | null;
                                        reversals: number | null;
                                    };
                                    vat: {
                                        group: string;
                                        /** @description Currency units */
                                        turnover: number;
                                    }[] | null;
                                    payments: {
                                        method: "cash" | "card" | "check" | "credit" | "coupons" | "meal-vouchers" | "value-tickets" | "voucher" | "modern-payment" | "card-advance" | "foreign-currency" | "bank" | "ext-coupons" | "packaging" | "internal-usage" | "damage" | "reserved1" | "reserved2" | "other";
                                        /** @description Currency units */
                                        amount: number;
                                    }[] | null;
                                } | null;
                                balanced: boolean | null;
                            }[];
                        }[];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getReportsCalendar: {
        parameters: {
            query: {
                month?: string;
                deviceId: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deviceId: string;
                        month: string;
                        timezone: string;
                        /** @description Of a printer that the gateway simulates: nothing of it is fiscal */
                        simulated: boolean;
                        /** Format: date-time */
                        from: string;
                        /** Format: date-time */
                        to: string;
                        /** @description Of the month, one for each currency */
                        totals: {
                            currency: string;
                            receiptCount: number;
                            reversalCount: number;
                            refundCount: number;
                            /** @description Currency units */
                            gross: number;
                            /** @description Currency units */
                            reversals: number;
                            /** @description Currency units */
                            refunds: number;
                            /** @description Currency units */
                            net: number;
                        }[];
                        days: {
                            /** Format: date */
                            date: string;
                            /** Format: date-time */
                            from: string;
                            /** Format: date-time */
                            to: string;
                            /** @description Of the receipts of the date, one for each currency */
                            sums: {
                                currency: string;
                                receiptCount: number;
                                reversalCount: number;
                                refundCount: number;
                                /** @description Currency units */
                                gross: number;
                                /** @description Currency units */
                                reversals: number;
                                /** @description Currency units */
                                refunds: number;
                                /** @description Currency units */
                                net: number;
                            }[];
                            /** @description Z reports of the date, each beside the receipts of its fiscal day */
                            reports: {
                                reportId: string;
                                reportNumber: number | null;
                                /** Format: date-time */
                                at: string;
                                currency: string | null;
                                /** @description Null is what the device did not tell, and all of it where the fiscal day has receipts of several currencies */
                                difference: {
                                    receiptCount: number | null;
                                    reversalCount: number | null;
                                    totals: {
                                        gross: number | null;
                                        reversals: number | null;
                                    };
                                };
                                balanced: boolean | null;
                                unseenReports: {
                                    first: number;
                                    last: number;
                                } | null;
                            }[];
                            /** @description Receipts of the date behind its last Z report, or all where none was made */
                            openCount: number;
                            /** @description The date is over and has receipts, and no Z report was made on it */
                            missing: boolean;
                        }[];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getReportsSummary: {
        parameters: {
            query: {
                from: string;
                to: string;
                deviceId?: string;
                simulated?: boolean;
                by?: "day" | "hour" | "payment" | "vat" | "device";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        from: string;
                        /** Format: date-time */
                        to: string;
                        by: "day" | "hour" | "payment" | "vat" | "device";
                        timezone: string;
                        /** @description Of a printer that the gateway simulates: nothing of it is fiscal */
                        simulated: boolean;
                        buckets: components["schemas"]["SummaryBucket"][];
                        /** @description One for each currency */
                        totals: {
                            currency: string;
                            receiptCount: number;
                            reversalCount: number;
                            refundCount: number;
                            /** @description Currency units */
                            gross: number;
                            /** @description Currency units */
                            reversals: number;
                            /** @description Currency units */
                            refunds: number;
                            /** @description Currency units */
                            net: number;
                        }[];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getReportsByReportId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                reportId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        report: components["schemas"]["Report"];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postReportsByReportIdLook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                reportId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getReportsJournal: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
                deviceId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file to save */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": string;
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getSchemasJournalXsd: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Schema */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": string;
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getToday: {
        parameters: {
            query?: {
                locationId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        at: string;
                        shop: {
                            name: string;
                            currency: string;
                            timezone: string;
                        };
                        day: {
                            /** Format: date */
                            date: string;
                            /** Format: date-time */
                            from: string;
                            /** Format: date-time */
                            to: string;
                        };
                        devices: {
                            device: components["schemas"]["Device"];
                            reason: string | null;
                            reading: {
                                paper: ("ok" | "low" | "out") | null;
                                cover: ("closed" | "open") | null;
                                fiscalDayOpen: boolean | null;
                                /** Format: date-time */
                                readAt: string;
                            } | null;
                            doing: {
                                commandId: string;
                                type: "print_receipt" | "void_receipt" | "print_reversal_receipt" | "void_open_receipt" | "print_duplicate" | "non_fiscal_receipt" | "x_report" | "z_report" | "cash_in" | "cash_out" | "get_cash_amount" | "open_drawer" | "set_datetime" | "set_logo" | "delete_logo" | "set_vat_rates" | "set_header_footer" | "set_operator" | "get_operators" | "get_status" | "get_info" | "get_last_receipt_info" | "get_date_time" | "get_vat_rates" | "get_vat_capabilities" | "get_header_footer_capabilities" | "get_header_footer" | "get_operator_capabilities" | "get_logo_capabilities" | "raw_command";
                                status: "sent" | "processing";
                                /** Format: date-time */
                                since: string;
                            } | null;
                            /** @description Commands that wait for their turn */
                            waiting: number;
                            alerts: components["schemas"]["Alert"][];
                            lastZ: {
                                reportId: string;
                                reportNumber: number | null;
                                /** Format: date-time */
                                at: string;
                                lookedAt: string | null;
                                compared: {
                                    currency: string;
                                    difference: {
                                        receiptCount: number | null;
                                        reversalCount: number | null;
                                        totals: {
                                            gross: number | null;
                                            reversals: number | null;
                                        };
                                        vat: {
                                            group: string;
                                            /** @description Currency units */
                                            turnover: number;
                                        }[] | null;
                                        payments: {
                                            method: "cash" | "card" | "check" | "credit" | "coupons" | "meal-vouchers" | "value-tickets" | "voucher" | "modern-payment" | "card-advance" | "foreign-currency" | "bank" | "ext-coupons" | "packaging" | "internal-usage" | "damage" | "reserved1" | "reserved2" | "other";
                                            /** @description Currency units */
                                            amount: number;
                                        }[] | null;
                                    } | null;
                                    balanced: boolean | null;
                                } | null;
                            } | null;
                            cash: {
                                /** @description Currency units */
                                amount: number;
                                currency: string | null;
                                /** Format: date-time */
                                at: string;
                            } | null;
                            lastReceiptAt: string | null;
                        }[];
                        /** @description Commands of which a person is asked what became of them, the oldest first */
                        doubtful: {
                            commandId: string;
                            deviceId: string;
                            deviceName: string | null;
                            type: "print_receipt" | "void_receipt" | "print_reversal_receipt" | "void_open_receipt" | "print_duplicate" | "non_fiscal_receipt" | "x_report" | "z_report" | "cash_in" | "cash_out" | "get_cash_amount" | "open_drawer" | "set_datetime" | "set_logo" | "delete_logo" | "set_vat_rates" | "set_header_footer" | "set_operator" | "get_operators" | "get_status" | "get_info" | "get_last_receipt_info" | "get_date_time" | "get_vat_rates" | "get_vat_capabilities" | "get_header_footer_capabilities" | "get_header_footer" | "get_operator_capabilities" | "get_logo_capabilities" | "raw_command";
                            /** @description Of a printer that the gateway simulates: nothing of it is fiscal */
                            simulated: boolean;
                            /** Format: date-time */
                            acceptedAt: string;
                            /**
                             * Format: date-time
                             * @description Since when a person is asked
                             */
                            raisedAt: string;
                        }[];
                        sales: {
                            /** @description One for each currency, the organization's first */
                            totals: {
                                currency: string;
                                receiptCount: number;
                                reversalCount: number;
                                refundCount: number;
                                /** @description Currency units */
                                gross: number;
                                /** @description Currency units */
                                reversals: number;
                                /** @description Currency units */
                                refunds: number;
                                /** @description Currency units */
                                net: number;
                                average: number | null;
                            }[];
                            /** @description Each hour of the day, empty ones too */
                            hours: components["schemas"]["SummaryBucket"][];
                            payments: components["schemas"]["SummaryBucket"][];
                            vat: components["schemas"]["SummaryBucket"][];
                            devices: components["schemas"]["SummaryBucket"][];
                            /** @description The same day of the week before, as a whole */
                            weekBefore: {
                                /** Format: date */
                                date: string;
                                /** Format: date-time */
                                from: string;
                                /** Format: date-time */
                                to: string;
                                totals: {
                                    currency: string;
                                    receiptCount: number;
                                    reversalCount: number;
                                    refundCount: number;
                                    /** @description Currency units */
                                    gross: number;
                                    /** @description Currency units */
                                    reversals: number;
                                    /** @description Currency units */
                                    refunds: number;
                                    /** @description Currency units */
                                    net: number;
                                    average: number | null;
                                }[];
                                /** @description Each hour of the day, empty ones too */
                                hours: components["schemas"]["SummaryBucket"][];
                            };
                        } | null;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getReceipts: {
        parameters: {
            query?: {
                deviceId?: string;
                simulated?: boolean;
                type?: "sale" | "refund" | "storno";
                from?: string;
                to?: string;
                time?: "issuedAt" | "bookedAt";
                fiscalId?: string;
                originalReceiptId?: string;
                q?: string;
                limit?: number;
                startAfter?: string;
                sortBy?: "createdAt" | "issuedAt" | "bookedAt" | "total";
                sortOrder?: "asc" | "desc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        receipts: components["schemas"]["Receipt"][];
                        hasMore: boolean;
                        /** @description For `startAfter` of the next page; empty on an empty one */
                        lastId: string;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postReceipts: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    deviceId: string;
                    type: "sale" | "refund" | "storno";
                    /** @description The number that the device gave the document; each number once, with or without zeros before it */
                    fiscalId: string;
                    /** @description Each comes to quantity x price, rounded to the cent, and all of them to 99999999.99 at most. In items, subtotalModifiers and payments a property that is nearly a known one or means the same, or that names a discount, tax, rate or sum, is refused; others are ignored */
                    items: {
                        /** @description Printed as far as the device has room, 34 to 84 characters on the models that are known: the rest is cut, and stored all the same */
                        name: string;
                        /** @description At most 3 decimals */
                        quantity: number;
                        /** @description Unit price in currency units, at most 2 decimals */
                        price: number;
                        /** @description VAT1..VAT16 or exempt */
                        vatGroup: string;
                        department?: number;
                        unit?: string;
                    }[];
                    /** @description In order, each on what the items and those before it come to, which is not 0: a discount is no more than that, and with a surcharge it is 99999999.99 at most */
                    subtotalModifiers?: {
                        type: "discount-amount" | "surcharge-amount";
                        /** @description Currency units, at most 2 decimals */
                        value: number;
                    }[];
                    /** @description They come to what the items and subtotalModifiers do, within 0.01 */
                    payments: {
                        method: "cash" | "card" | "check" | "credit" | "coupons" | "meal-vouchers" | "value-tickets" | "voucher" | "modern-payment" | "card-advance" | "foreign-currency" | "bank" | "ext-coupons" | "packaging" | "internal-usage" | "damage" | "reserved1" | "reserved2" | "other";
                        /** @description Currency units, at most 2 decimals */
                        amount: number;
                    }[];
                    /** @description The sale that a refund or a storno is of: these two need it */
                    originalReceiptId?: string;
                    /**
                     * Format: date-time
                     * @description ISO 8601 with an offset, of 1970 or later, at most a day ahead; now unless given
                     */
                    issuedAt?: string;
                    receiptNumber?: string;
                    uniqueSaleNumber?: string;
                    fiscalMemorySerialNumber?: string;
                    zReportNumber?: string;
                    customerCif?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        receipt: components["schemas"]["Receipt"];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getReceiptsExport: {
        parameters: {
            query?: {
                format?: "csv" | "json";
                deviceId?: string;
                type?: "sale" | "refund" | "storno";
                from?: string;
                to?: string;
                time?: "issuedAt" | "bookedAt";
                simulated?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file to save */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/json": {
                        receipts: components["schemas"]["Receipt"][];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postReceiptsByReceiptIdStorno: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                receiptId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reason: "operator-error" | "refund" | "tax-base-reduction";
                    /** @description Each comes to quantity x price, rounded to the cent, and all of them to 99999999.99 at most. In items, subtotalModifiers and payments a property that is nearly a known one or means the same, or that names a discount, tax, rate or sum, is refused; others are ignored */
                    items?: {
                        /** @description Printed as far as the device has room, 34 to 84 characters on the models that are known: the rest is cut, and stored all the same */
                        name: string;
                        /** @description At most 3 decimals */
                        quantity: number;
                        /** @description Unit price in currency units, at most 2 decimals */
                        price: number;
                        /** @description VAT1..VAT16 or exempt */
                        vatGroup: string;
                        department?: number;
                        unit?: string;
                    }[];
                    /** @description Instead of items: how much goes back of which line of the sale. The gateway works out what that comes to: a part its share of the amount that is left of its line, rounded half up to the cent, the rest of a line all of it */
                    lines?: {
                        /** @description Which line of the sale, from 0, each once */
                        line: number;
                        /** @description At most 3 decimals */
                        quantity: number;
                    }[];
                    /** @description They come to what the items and subtotalModifiers do, within 0.01 */
                    payments?: {
                        method?: "cash" | "card" | "check" | "credit" | "coupons" | "meal-vouchers" | "value-tickets" | "voucher" | "modern-payment" | "card-advance" | "foreign-currency" | "bank" | "ext-coupons" | "packaging" | "internal-usage" | "damage" | "reserved1" | "reserved2" | "other";
                        type?: "cash" | "card" | "check" | "credit" | "coupons" | "meal-vouchers" | "value-tickets" | "voucher" | "modern-payment" | "card-advance" | "foreign-currency" | "bank" | "ext-coupons" | "packaging" | "internal-usage" | "damage" | "reserved1" | "reserved2" | "other";
                        /** @description Currency units, at most 2 decimals */
                        amount: number;
                    }[];
                    /** @description What the storno has to come to, in currency units with at most 2 decimals, as somebody was told before he asked for it. Where it would come to anything else, because a part of the sale went back meanwhile, it is 422 and nothing is queued */
                    expectedAmount?: number;
                };
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: components["schemas"]["Command"];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getReceiptsByReceiptId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                receiptId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        receipt: components["schemas"]["Receipt"];
                        /** @description True where no other receipt is known to have come behind it: print_duplicate repeats no other */
                        repeatable: boolean;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getReceiptsByReceiptIdReversible: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                receiptId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        reversible: components["schemas"]["Reversible"];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getDevicesByDeviceIdReceipts: {
        parameters: {
            query?: {
                type?: "sale" | "refund" | "storno";
                from?: string;
                to?: string;
                time?: "issuedAt" | "bookedAt";
                fiscalId?: string;
                originalReceiptId?: string;
                q?: string;
                limit?: number;
                startAfter?: string;
                sortBy?: "createdAt" | "issuedAt" | "bookedAt" | "total";
                sortOrder?: "asc" | "desc";
            };
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        receipts: components["schemas"]["Receipt"][];
                        hasMore: boolean;
                        /** @description For `startAfter` of the next page; empty on an empty one */
                        lastId: string;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getCommandsByCommandIdLastReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                commandId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        lastReceipt: {
                            receiptNumber: string | null;
                            receiptDateTime: string | null;
                            receiptAmount: number | null;
                            fiscalMemorySerialNumber: string | null;
                        };
                        lastDocumentNumber?: string | null;
                        lastZReportNumber?: number | null;
                        commandId: string;
                        before: string | null;
                        /** @description What that says of the command. It proves nothing, as others may print there too. Null where the numbers say nothing of it, or nothing of it is open */
                        indicates: ("not_printed" | "printed" | "another" | "since") | null;
                        deviceId: string;
                        /** Format: date-time */
                        timestamp: string;
                        /**
                         * @description Of a printer that the gateway simulates
                         * @constant
                         */
                        simulated?: true;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getDevicesByDeviceIdCashBalance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Currency units */
                        cashBalance: number;
                        cashIn?: number | null;
                        cashOut?: number | null;
                        /** @description ISO 4217 */
                        currency: string;
                        deviceId: string;
                        /** Format: date-time */
                        timestamp: string;
                        /**
                         * @description Of a printer that the gateway simulates
                         * @constant
                         */
                        simulated?: true;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getDevicesByDeviceIdDatetime: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description UTC, ISO 8601 with milliseconds */
                        dateTime: string;
                        deviceId: string;
                        /** Format: date-time */
                        timestamp: string;
                        /**
                         * @description Of a printer that the gateway simulates
                         * @constant
                         */
                        simulated?: true;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getDevicesByDeviceIdHeaderFooter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        header: string[];
                        footer: string[];
                        deviceId: string;
                        /** Format: date-time */
                        timestamp: string;
                        /**
                         * @description Of a printer that the gateway simulates
                         * @constant
                         */
                        simulated?: true;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postDevicesByDeviceIdHeaderFooter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    header: string[];
                    footer: string[];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        message: string;
                        deviceId: string;
                        /** Format: date-time */
                        timestamp: string;
                        /**
                         * @description Of a printer that the gateway simulates
                         * @constant
                         */
                        simulated?: true;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getDevicesByDeviceIdHeaderFooterCapabilities: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        capabilities: {
                            maxHeaderLines: number;
                            maxFooterLines: number;
                            maxCharsPerLine: number;
                        };
                        deviceId: string;
                        /** Format: date-time */
                        timestamp: string;
                        /**
                         * @description Of a printer that the gateway simulates
                         * @constant
                         */
                        simulated?: true;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getDevicesByDeviceIdInfo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        info: {
                            serialNumber: string | null;
                            firmwareVersion: string | null;
                            fiscalMemorySerialNumber: string | null;
                            manufacturer: string | null;
                            model: string | null;
                            /** @description Of its paper, where that is known */
                            charsPerLine?: number;
                            /** @description In which it pays reversals back, where that is known; none where it prints none */
                            reversalTenders?: ("cash" | "card" | "check" | "credit" | "coupons" | "meal-vouchers" | "value-tickets" | "voucher" | "modern-payment" | "card-advance" | "foreign-currency" | "bank" | "ext-coupons" | "packaging" | "internal-usage" | "damage" | "reserved1" | "reserved2" | "other")[];
                        };
                        deviceId: string;
                        /** Format: date-time */
                        timestamp: string;
                        /**
                         * @description Of a printer that the gateway simulates
                         * @constant
                         */
                        simulated?: true;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getDevicesByDeviceIdLastReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        lastReceipt: {
                            receiptNumber: string | null;
                            receiptDateTime: string | null;
                            receiptAmount: number | null;
                            fiscalMemorySerialNumber: string | null;
                        };
                        lastDocumentNumber?: string | null;
                        lastZReportNumber?: number | null;
                        deviceId: string;
                        /** Format: date-time */
                        timestamp: string;
                        /**
                         * @description Of a printer that the gateway simulates
                         * @constant
                         */
                        simulated?: true;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getDevicesByDeviceIdLiveStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        paper: ("ok" | "low" | "out") | null;
                        cover: ("closed" | "open") | null;
                        fiscalReceiptOpen: boolean | null;
                        nonFiscalReceiptOpen: boolean | null;
                        fiscalDayOpen: boolean | null;
                        dayCloseRequired: boolean | null;
                        fiscalMemory: ("ok" | "near_full" | "full") | null;
                        clockSet: boolean | null;
                        hardwareError: boolean | null;
                        fiscalized: boolean | null;
                        /** @description In the device's own numbers */
                        errors: {
                            code: string;
                            message: string;
                        }[];
                        /** @description Bytes in hexadecimal */
                        rawHex: string;
                        deviceId: string;
                        /** Format: date-time */
                        timestamp: string;
                        /**
                         * @description Of a printer that the gateway simulates
                         * @constant
                         */
                        simulated?: true;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getDevicesByDeviceIdLogoCapabilities: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        capabilities: {
                            maxWidth: number | null;
                            maxHeight: number | null;
                            maxBytes: number | null;
                        };
                        deviceId: string;
                        /** Format: date-time */
                        timestamp: string;
                        /**
                         * @description Of a printer that the gateway simulates
                         * @constant
                         */
                        simulated?: true;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getDevicesByDeviceIdOperatorCapabilities: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        capabilities: {
                            maxOperators: number;
                            maxNameLength: number;
                            maxPasswordLength: number;
                            supportsPassword: boolean;
                            passwordChangeRequiresOldPassword: boolean;
                            canGetOperators: boolean;
                        };
                        deviceId: string;
                        /** Format: date-time */
                        timestamp: string;
                        /**
                         * @description Of a printer that the gateway simulates
                         * @constant
                         */
                        simulated?: true;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getDevicesByDeviceIdOperators: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        operators: {
                            operatorId: number;
                            name: string;
                        }[];
                        deviceId: string;
                        /** Format: date-time */
                        timestamp: string;
                        /**
                         * @description Of a printer that the gateway simulates
                         * @constant
                         */
                        simulated?: true;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getDevicesByDeviceIdVatCapabilities: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        capabilities: {
                            maxRates: number;
                            groups: string[];
                            namesProgrammable: boolean;
                            /** @description False where `set_vat_rates` is refused whatever it holds */
                            ratesProgrammable?: boolean;
                            changesLeft: number | null;
                        };
                        deviceId: string;
                        /** Format: date-time */
                        timestamp: string;
                        /**
                         * @description Of a printer that the gateway simulates
                         * @constant
                         */
                        simulated?: true;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getDevicesByDeviceIdVatRates: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        rates: {
                            group: string;
                            /** @description Percent */
                            rate: number;
                            enabled: boolean;
                        }[];
                        deviceId: string;
                        /** Format: date-time */
                        timestamp: string;
                        /**
                         * @description Of a printer that the gateway simulates
                         * @constant
                         */
                        simulated?: true;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postDevicesByDeviceIdVatRates: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    rates: {
                        group: string;
                        /** @description Percent */
                        rate: number;
                        enabled: boolean;
                    }[];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        message: string;
                        deviceId: string;
                        /** Format: date-time */
                        timestamp: string;
                        /**
                         * @description Of a printer that the gateway simulates
                         * @constant
                         */
                        simulated?: true;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postDevicesByDeviceIdSetDatetime: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description ISO 8601; without an offset it is the local time of the device */
                    datetime?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description What the clock was set to. UTC where the device's answer is known */
                        datetime: string;
                        deviceId: string;
                        /** Format: date-time */
                        timestamp: string;
                        /**
                         * @description Of a printer that the gateway simulates
                         * @constant
                         */
                        simulated?: true;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postDevicesByDeviceIdPrintDuplicate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        message: string;
                        deviceId: string;
                        /** Format: date-time */
                        timestamp: string;
                        /**
                         * @description Of a printer that the gateway simulates
                         * @constant
                         */
                        simulated?: true;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postDevicesByDeviceIdNonFiscal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    lines: string[];
                    /** @description Bold and centered at the top */
                    header?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        message: string;
                        deviceId: string;
                        /** Format: date-time */
                        timestamp: string;
                        /**
                         * @description Of a printer that the gateway simulates
                         * @constant
                         */
                        simulated?: true;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postDevicesByDeviceIdOperator: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    operatorId: number;
                    name: string;
                    password?: string;
                    oldPassword?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        message: string;
                        deviceId: string;
                        /** Format: date-time */
                        timestamp: string;
                        /**
                         * @description Of a printer that the gateway simulates
                         * @constant
                         */
                        simulated?: true;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postDevicesByDeviceIdLogo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Base64 image */
                    logo: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        message: string;
                        deviceId: string;
                        /** Format: date-time */
                        timestamp: string;
                        /**
                         * @description Of a printer that the gateway simulates
                         * @constant
                         */
                        simulated?: true;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    deleteDevicesByDeviceIdLogo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        message: string;
                        deviceId: string;
                        /** Format: date-time */
                        timestamp: string;
                        /**
                         * @description Of a printer that the gateway simulates
                         * @constant
                         */
                        simulated?: true;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postDevicesByDeviceIdVoidOpen: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        message: string;
                        deviceId: string;
                        /** Format: date-time */
                        timestamp: string;
                        /**
                         * @description Of a printer that the gateway simulates
                         * @constant
                         */
                        simulated?: true;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postDevicesByDeviceIdReversal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description As it stands on the sale; empty where the sale has none */
                    uniqueSaleNumber: string;
                    originalReceiptNumber: string;
                    /** @description ISO 8601; without an offset it is the local time of the device */
                    originalReceiptDateTime: string;
                    fiscalMemorySerialNumber: string;
                    originalZReportNumber?: string;
                    reason: "operator-error" | "refund" | "tax-base-reduction";
                    /** @description Each comes to quantity x price, rounded to the cent, and all of them to 99999999.99 at most. In items, subtotalModifiers and payments a property that is nearly a known one or means the same, or that names a discount, tax, rate or sum, is refused; others are ignored */
                    items: {
                        /** @description Printed as far as the device has room, 34 to 84 characters on the models that are known: the rest is cut, and stored all the same */
                        name: string;
                        /** @description At most 3 decimals */
                        quantity: number;
                        /** @description Unit price in currency units, at most 2 decimals */
                        price: number;
                        /** @description VAT1..VAT16 or exempt */
                        vatGroup: string;
                        department?: number;
                        unit?: string;
                    }[];
                    /** @description What is paid back; left out, all of it in cash */
                    payments?: {
                        method?: "cash" | "card" | "check" | "credit" | "coupons" | "meal-vouchers" | "value-tickets" | "voucher" | "modern-payment" | "card-advance" | "foreign-currency" | "bank" | "ext-coupons" | "packaging" | "internal-usage" | "damage" | "reserved1" | "reserved2" | "other";
                        type?: "cash" | "card" | "check" | "credit" | "coupons" | "meal-vouchers" | "value-tickets" | "voucher" | "modern-payment" | "card-advance" | "foreign-currency" | "bank" | "ext-coupons" | "packaging" | "internal-usage" | "damage" | "reserved1" | "reserved2" | "other";
                        /** @description Currency units, at most 2 decimals */
                        amount: number;
                    }[];
                    operatorId?: number;
                    operatorPassword?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        message: string;
                        /** @description Of the printed reversal, where the device tells it */
                        receiptNumber?: string;
                        deviceId: string;
                        /** Format: date-time */
                        timestamp: string;
                        /**
                         * @description Of a printer that the gateway simulates
                         * @constant
                         */
                        simulated?: true;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postDevicesByDeviceIdReportsX: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        report: {
                            reportNumber: number | null;
                            type: "x_report" | "z_report";
                            receiptCount: number | null;
                            reversalCount: number | null;
                            totals: {
                                gross: number | null;
                                reversals: number | null;
                                cashIn: number | null;
                                cashOut: number | null;
                                cashBalance: number | null;
                            };
                            vat: {
                                group: string;
                                rate: number | null;
                                /** @description Currency units */
                                turnover: number;
                                tax: number | null;
                            }[] | null;
                            payments: {
                                method: "cash" | "card" | "check" | "credit" | "coupons" | "meal-vouchers" | "value-tickets" | "voucher" | "modern-payment" | "card-advance" | "foreign-currency" | "bank" | "ext-coupons" | "packaging" | "internal-usage" | "damage" | "reserved1" | "reserved2" | "other";
                                /** @description Currency units */
                                amount: number;
                            }[] | null;
                            openedAt: string | null;
                            closedAt: string | null;
                            fiscalMemorySerialNumber: string | null;
                            lastDocumentNumber?: string | null;
                        } | null;
                        deviceId: string;
                        /** Format: date-time */
                        timestamp: string;
                        /**
                         * @description Of a printer that the gateway simulates
                         * @constant
                         */
                        simulated?: true;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    postDevicesByDeviceIdReportsZ: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        report: {
                            reportNumber: number | null;
                            type: "x_report" | "z_report";
                            receiptCount: number | null;
                            reversalCount: number | null;
                            totals: {
                                gross: number | null;
                                reversals: number | null;
                                cashIn: number | null;
                                cashOut: number | null;
                                cashBalance: number | null;
                            };
                            vat: {
                                group: string;
                                rate: number | null;
                                /** @description Currency units */
                                turnover: number;
                                tax: number | null;
                            }[] | null;
                            payments: {
                                method: "cash" | "card" | "check" | "credit" | "coupons" | "meal-vouchers" | "value-tickets" | "voucher" | "modern-payment" | "card-advance" | "foreign-currency" | "bank" | "ext-coupons" | "packaging" | "internal-usage" | "damage" | "reserved1" | "reserved2" | "other";
                                /** @description Currency units */
                                amount: number;
                            }[] | null;
                            openedAt: string | null;
                            closedAt: string | null;
                            fiscalMemorySerialNumber: string | null;
                            lastDocumentNumber?: string | null;
                        } | null;
                        deviceId: string;
                        /** Format: date-time */
                        timestamp: string;
                        /**
                         * @description Of a printer that the gateway simulates
                         * @constant
                         */
                        simulated?: true;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getLivez: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        status: string;
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getHealthz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        status: string;
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getReady: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        status: string;
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        status: "ok" | "degraded" | "failed";
                        version: string;
                        uptimeSeconds: number;
                        checks: {
                            database: components["schemas"]["HealthCheck"];
                            disk: components["schemas"]["HealthCheck"];
                            timers: components["schemas"]["HealthCheck"];
                            controllers: components["schemas"]["HealthCheck"];
                            clock: components["schemas"]["HealthCheck"];
                            printers: components["schemas"]["HealthCheck"];
                            https?: components["schemas"]["HealthCheck"];
                            backup?: components["schemas"]["HealthCheck"];
                            replica?: components["schemas"]["HealthCheck"];
                            update?: components["schemas"]["HealthCheck"];
                        };
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    onReceiptCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description `t` is when the attempt was signed, in Unix seconds; `v1` the HMAC-SHA256 in hexadecimal over `t`, a dot and the body as it arrived, with the whole text of the secret as its key */
                "X-Service-Signature": string;
                /** @description The event's `id`: one that came before is a repetition */
                "webhook-id": string;
                /** @description When the attempt was signed, in Unix seconds */
                "webhook-timestamp": string;
                /** @description Of Standard Webhooks: `v1,` and the HMAC-SHA256 in base64 over id, timestamp and body, joined by dots; its key is what the secret holds in base64 behind `whsec_` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReceiptCreatedEvent"];
            };
        };
        responses: {
            /** @description Taken, if it comes within 10 s. Of the body the first 1024 bytes are kept for whoever lists the deliveries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken, a redirect neither: it is sent again later, until its attempts are used up */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCommandCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description `t` is when the attempt was signed, in Unix seconds; `v1` the HMAC-SHA256 in hexadecimal over `t`, a dot and the body as it arrived, with the whole text of the secret as its key */
                "X-Service-Signature": string;
                /** @description The event's `id`: one that came before is a repetition */
                "webhook-id": string;
                /** @description When the attempt was signed, in Unix seconds */
                "webhook-timestamp": string;
                /** @description Of Standard Webhooks: `v1,` and the HMAC-SHA256 in base64 over id, timestamp and body, joined by dots; its key is what the secret holds in base64 behind `whsec_` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommandCompletedEvent"];
            };
        };
        responses: {
            /** @description Taken, if it comes within 10 s. Of the body the first 1024 bytes are kept for whoever lists the deliveries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken, a redirect neither: it is sent again later, until its attempts are used up */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCommandFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description `t` is when the attempt was signed, in Unix seconds; `v1` the HMAC-SHA256 in hexadecimal over `t`, a dot and the body as it arrived, with the whole text of the secret as its key */
                "X-Service-Signature": string;
                /** @description The event's `id`: one that came before is a repetition */
                "webhook-id": string;
                /** @description When the attempt was signed, in Unix seconds */
                "webhook-timestamp": string;
                /** @description Of Standard Webhooks: `v1,` and the HMAC-SHA256 in base64 over id, timestamp and body, joined by dots; its key is what the secret holds in base64 behind `whsec_` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommandFailedEvent"];
            };
        };
        responses: {
            /** @description Taken, if it comes within 10 s. Of the body the first 1024 bytes are kept for whoever lists the deliveries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken, a redirect neither: it is sent again later, until its attempts are used up */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCommandTimeout: {
        parameters: {
            query?: never;
            header: {
                /** @description `t` is when the attempt was signed, in Unix seconds; `v1` the HMAC-SHA256 in hexadecimal over `t`, a dot and the body as it arrived, with the whole text of the secret as its key */
                "X-Service-Signature": string;
                /** @description The event's `id`: one that came before is a repetition */
                "webhook-id": string;
                /** @description When the attempt was signed, in Unix seconds */
                "webhook-timestamp": string;
                /** @description Of Standard Webhooks: `v1,` and the HMAC-SHA256 in base64 over id, timestamp and body, joined by dots; its key is what the secret holds in base64 behind `whsec_` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommandTimeoutEvent"];
            };
        };
        responses: {
            /** @description Taken, if it comes within 10 s. Of the body the first 1024 bytes are kept for whoever lists the deliveries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken, a redirect neither: it is sent again later, until its attempts are used up */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDeviceOnline: {
        parameters: {
            query?: never;
            header: {
                /** @description `t` is when the attempt was signed, in Unix seconds; `v1` the HMAC-SHA256 in hexadecimal over `t`, a dot and the body as it arrived, with the whole text of the secret as its key */
                "X-Service-Signature": string;
                /** @description The event's `id`: one that came before is a repetition */
                "webhook-id": string;
                /** @description When the attempt was signed, in Unix seconds */
                "webhook-timestamp": string;
                /** @description Of Standard Webhooks: `v1,` and the HMAC-SHA256 in base64 over id, timestamp and body, joined by dots; its key is what the secret holds in base64 behind `whsec_` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeviceOnlineEvent"];
            };
        };
        responses: {
            /** @description Taken, if it comes within 10 s. Of the body the first 1024 bytes are kept for whoever lists the deliveries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken, a redirect neither: it is sent again later, until its attempts are used up */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDeviceOffline: {
        parameters: {
            query?: never;
            header: {
                /** @description `t` is when the attempt was signed, in Unix seconds; `v1` the HMAC-SHA256 in hexadecimal over `t`, a dot and the body as it arrived, with the whole text of the secret as its key */
                "X-Service-Signature": string;
                /** @description The event's `id`: one that came before is a repetition */
                "webhook-id": string;
                /** @description When the attempt was signed, in Unix seconds */
                "webhook-timestamp": string;
                /** @description Of Standard Webhooks: `v1,` and the HMAC-SHA256 in base64 over id, timestamp and body, joined by dots; its key is what the secret holds in base64 behind `whsec_` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeviceOfflineEvent"];
            };
        };
        responses: {
            /** @description Taken, if it comes within 10 s. Of the body the first 1024 bytes are kept for whoever lists the deliveries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken, a redirect neither: it is sent again later, until its attempts are used up */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onReportGenerated: {
        parameters: {
            query?: never;
            header: {
                /** @description `t` is when the attempt was signed, in Unix seconds; `v1` the HMAC-SHA256 in hexadecimal over `t`, a dot and the body as it arrived, with the whole text of the secret as its key */
                "X-Service-Signature": string;
                /** @description The event's `id`: one that came before is a repetition */
                "webhook-id": string;
                /** @description When the attempt was signed, in Unix seconds */
                "webhook-timestamp": string;
                /** @description Of Standard Webhooks: `v1,` and the HMAC-SHA256 in base64 over id, timestamp and body, joined by dots; its key is what the secret holds in base64 behind `whsec_` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportGeneratedEvent"];
            };
        };
        responses: {
            /** @description Taken, if it comes within 10 s. Of the body the first 1024 bytes are kept for whoever lists the deliveries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken, a redirect neither: it is sent again later, until its attempts are used up */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookTest: {
        parameters: {
            query?: never;
            header: {
                /** @description `t` is when the attempt was signed, in Unix seconds; `v1` the HMAC-SHA256 in hexadecimal over `t`, a dot and the body as it arrived, with the whole text of the secret as its key */
                "X-Service-Signature": string;
                /** @description The event's `id`: one that came before is a repetition */
                "webhook-id": string;
                /** @description When the attempt was signed, in Unix seconds */
                "webhook-timestamp": string;
                /** @description Of Standard Webhooks: `v1,` and the HMAC-SHA256 in base64 over id, timestamp and body, joined by dots; its key is what the secret holds in base64 behind `whsec_` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookTestEvent"];
            };
        };
        responses: {
            /** @description Taken, if it comes within 10 s. Of the body the first 1024 bytes are kept for whoever lists the deliveries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken, a redirect neither */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
