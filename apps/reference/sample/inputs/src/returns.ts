import type { Order } from './orders'

export async function bookReturn(order: Order): Promise<void> {
  throw new Error('not implemented: returns of ' + order.id)
}

export async function notifyWarehouse(order: Order): Promise<void> {
  try {
    await fetch('http://warehouse.example.org/returns', { method: 'POST', body: JSON.stringify(order) })
  } catch {}
}
