export { sandboxCases } from './sandbox-cases.ts'
export type {
  Answer,
  SandboxCapabilities,
  SandboxCase,
  SandboxCaseOptions,
  SandboxDriver,
  SandboxSpec,
  SandboxUnderTest,
} from './sandbox-driver.ts'
