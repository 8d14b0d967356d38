// How long recalling takes with 100,000 items in one scope: `node --conditions=… packages/memory-postgres/bench/recall.mjs`.
