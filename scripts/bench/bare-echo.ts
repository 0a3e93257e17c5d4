/** A server whose WebSockets send back what they are sent, and nothing else: prints its address. */

const echo = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: (request, upgrading) =>
    upgrading.upgrade(request) ? undefined : new Response(null, { status: 400 }),
  websocket: {
    message(socket, text) {
      socket.send(text);
    },
  },
});
console.log(`http://127.0.0.1:${echo.port}`);
