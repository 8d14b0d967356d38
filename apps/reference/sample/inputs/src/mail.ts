const RETRIES = 3

export async function sendConfirmation(to: string, orderId: string): Promise<void> {
  for (let attempt = 1; attempt <= RETRIES; attempt += 1) {
    try {
      return await deliver(to, `Order ${orderId} is confirmed.`)
    } catch (error) {
      // TODO: tell the difference between a bad address and a server that is away
      if (attempt === RETRIES) throw error
    }
  }
}

async function deliver(to: string, text: string): Promise<void> {
  if (!to.includes('@')) throw new Error(`no address: ${text.length} characters not sent`)
}
