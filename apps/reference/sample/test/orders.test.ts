import { totalQuantity } from '../src/orders'

// TODO: cover placeOrder with an empty stock
if (totalQuantity({ id: '1', email: 'a@example.org', items: [{ sku: 'x', quantity: 2 }] }) !== 2)
  throw new Error('wrong total')
