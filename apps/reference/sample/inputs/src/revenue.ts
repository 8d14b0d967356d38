import { gross } from './prices'

// TODO(maintainers): one currency is assumed here
export function revenue(orders: { net: number }[]): number {
  return orders.reduce((sum, { net }) => sum + gross(net), 0)
}
