export const VAT = 0.2

export function gross(net: number): number {
<<<<<<< HEAD
  return Math.round(net * (1 + VAT) * 100) / 100
=======
  return Number((net * (1 + VAT)).toFixed(2))
>>>>>>> feature/rounding
}
