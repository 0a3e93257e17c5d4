/** A server that reads JSON and answers it, and nothing else: prints its address. */

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    return Response.json(await request.json(), { status: 201 });
  },
});
console.log(`http://127.0.0.1:${server.port}`);
