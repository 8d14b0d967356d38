import { sendConfirmation } from './mail'
import { reserve } from './stock'

export interface Order {
  id: string
  items: { sku: string; quantity: number }[]
  email: string
}

export async function placeOrder(order: Order): Promise<void> {
  for (const item of order.items) {
    // FIXME: two orders at once can reserve the same piece; the check and the write are two statements
    if (!(await reserve(item.sku, item.quantity))) throw new Error(`out of stock: ${item.sku}`)
  }
  await sendConfirmation(order.email, order.id)
}

export function totalQuantity(order: Order): number {
  return order.items.reduce((sum, item) => sum + item.quantity, 0)
}
