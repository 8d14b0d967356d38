import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface LossyLine {
  readonly port: number
  /** What happens from the moment at which a client has sent `commit`. Default: nothing special. */
  atCommit: 'pass' | 'lose the answer and hang up' | 'lose the answer and stay silent'
  /** Called when `commit` has passed towards the server. */
  onCommit: () => void
  close(): Promise<void>
}

/** A line to a server on the loopback interface that can lose the server's answer to a commit. */
export async function lossyLine(serverPort: number): Promise<LossyLine> {
  const sockets = new Set<Socket>()
  const listener = createServer((near) => {
    const far = connect(serverPort, '127.0.0.1')
    let mute = false
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
    }
    near.on('data', (data) => {
      const isCommit = data.includes('commit\0')
      if (isCommit && line.atCommit !== 'pass') mute = true
      far.write(data)
      if (isCommit) line.onCommit()
    })
    far.on('data', (data) => {
      if (!mute) near.write(data)
      else if (line.atCommit === 'lose the answer and hang up') near.destroy()
    })
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const line: LossyLine = {
    port: address.port,
    atCommit: 'pass',
    onCommit: () => {},
    async close() {
      for (const socket of sockets) socket.destroy()
      listener.close()
      await once(listener, 'close')
    },
  }
  return line
}
