import { once } from 'node:events'
import { createConnection, createServer, type Socket } from 'node:net'

/** A way to a port on this machine on which every packet takes `delayMs` longer; `cut` ends all connections. */
export interface SlowProxy {
  port: number
  delayMs: number
  cut(): void
  close(): Promise<void>
}

export async function slowProxy(target: number, delayMs: number): Promise<SlowProxy> {
  const sockets = new Set<Socket>()
  const pass = (from: Socket, to: Socket) => {
    sockets.add(from)
    from.on('data', (bytes) => setTimeout(() => to.writable && to.write(bytes), proxy.delayMs))
    from.on('error', () => to.destroy())
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
  }
  const server = createServer((client) => {
    const upstream = createConnection(target, '127.0.0.1')
    pass(client, upstream)
    pass(upstream, client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: SlowProxy = {
    port: (server.address() as { port: number }).port,
    delayMs,
    cut() {
      for (const socket of sockets) socket.destroy()
    },
    async close() {
      proxy.cut()
      server.close()
      await once(server, 'close')
    },
  }
  return proxy
}
