/**
 * Readers of a gateway's events, in a process of their own: `URL KEY COUNT`. Says `ready` when all of
 * them listen, and for each line on its input how many events they were told so far.
 */

const [url = "", key = "", count = "0"] = process.argv.slice(2);
/** Connections that are opened at a time, so that none is refused for waiting too long. */
const OPENED_AT_ONCE = 50;
let told = 0;

async function listen(): Promise<void> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/api/v1/events`, {
    headers: { authorization: `Bearer ${key}` },
  });
  socket.addEventListener("message", () => {
    told += 1;
  });
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => resolve());
    socket.addEventListener("close", ({ reason }) => reject(new Error(reason)));
  });
}

for (let open = 0; open < Number(count); open += OPENED_AT_ONCE) {
  const few = Math.min(OPENED_AT_ONCE, Number(count) - open);
  await Promise.all(Array.from({ length: few }, listen));
}
console.log("ready");
for await (const _ of console) console.log(String(told));

export {};
