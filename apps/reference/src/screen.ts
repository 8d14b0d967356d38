/** Lines for a person, with one line at the bottom that may change where stdout is a terminal. */
export interface Screen {
  /** Whether a line at the bottom can be shown. */
  readonly isLive: boolean
  line(text: string): void
  /** A piece of running text; the next line begins below it. */
  words(text: string): void
  /** Replaces the changing line. Nothing where stdout is no terminal. */
  passing(text: string): void
}

const CLEAR_LINE = '\r\u001b[2K'

/** A screen on stdout; silent when nothing but the result is asked for. */
export function createScreen(options: {
  write(text: string): void
  columns?: number | undefined
  silent?: boolean
}): Screen {
  const { columns, silent = false } = options
  const isLive = columns !== undefined && !silent
  let midLine = false
  let passing = false
  const write = (text: string) => {
    if (silent) return
    options.write(passing ? CLEAR_LINE + text : text)
    passing = false
  }
  return {
    isLive,
    line(text) {
      write(`${midLine ? '\n' : ''}${text}\n`)
      midLine = false
    },
    words(text) {
      const shown = printable(text)
      if (shown === '') return
      write(shown)
      midLine = !shown.endsWith('\n')
    },
    passing(text) {
      if (!isLive || midLine) return
      write(text.slice(0, columns - 1))
      passing = true
    },
  }
}

/** Text of others without what would move the cursor or change colours. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
}
