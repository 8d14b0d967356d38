#!/usr/bin/env node
import { runCommand } from './run-command.ts'

process.exitCode = await runCommand(process.argv.slice(2), {
  out: (text) => void process.stdout.write(text),
  error: (text) => void process.stderr.write(text),
  colours: process.stdout.isTTY === true && !process.env.NO_COLOR,
  environment: process.env,
})
