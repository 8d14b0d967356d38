export { type BrokenCallHooks, brokenCalls } from './broken-calls.ts'
export { type LangchainOptions, type LangchainTools, langchainTools } from './langchain-tools.ts'
