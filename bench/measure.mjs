// Medians of interleaved runs: the machine's drift hits every candidate alike.

/**
 * @param {Record<string, () => unknown>} candidates The first is the measure of the others.
 * @param {{ rounds: number, warmUp: number }} options
 */
export async function compare(candidates, { rounds, warmUp }) {
  const names = Object.keys(candidates)
  /** @type {Record<string, number[]>} */
  const times = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const name of names) {
      const began = performance.now()
      await candidates[name]?.()
      if (round >= 0) times[name]?.push((performance.now() - began) * 1000)
    }
  }
  const medians = names.map((name) => ({ name, median: medianOf(times[name] ?? []) }))
  const base = medians[0]?.median ?? 1
  for (const { name, median } of medians) {
    console.log(
      `${name.padEnd(52)} ${median.toFixed(1).padStart(10)} µs  ${(median / base).toFixed(2).padStart(7)} ×`,
    )
  }
}

/** @param {number[]} values */
function medianOf(values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
