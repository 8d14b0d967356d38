import { createHttpMemoryClient, openMemoryReview } from '@kgent/memory'

// Promotes what is accepted in a runs folder, until it is done or killed.
const [runsDir = '', baseUrl = ''] = process.argv.slice(2)
const report = await openMemoryReview({ runsDir, by: 'child' }).promote(createHttpMemoryClient({ baseUrl }), {
  onPromoted: ({ key }) => console.log(key),
})
console.log(`done: ${report.failed} failed`)
