const stock = new Map<string, number>()

export async function reserve(sku: string, quantity: number): Promise<boolean> {
  const left = stock.get(sku) ?? 0
  if (left < quantity) return false
  stock.set(sku, left - quantity)
  return true
}

// HACK: the warehouse sends counts as text; remove when their export is typed
export function parseCount(text: string): number {
  return Number(text.replace(/[^0-9]/g, ''))
}
