/** What a code means, in one line, and whether the same call may succeed when it is simply made again. */
export interface ErrorCodeMeaning {
  readonly meaning: string
  readonly retryable: boolean
}

const once = (meaning: string): ErrorCodeMeaning => ({ meaning, retryable: false })
const again = (meaning: string): ErrorCodeMeaning => ({ meaning, retryable: true })

/**
 * The one table of error codes. Match on a code, never on a message.
 * `retryable` is about the very same call; a corrected call is always worth making.
 */
export const ERROR_CODES = {
  // the shape of a call
  invalid_input: once(
    'The input does not fit the tool’s schema; the message names the field and the right form.',
  ),
  unknown_tool: once('No tool of that name is in the set; the message lists the real names.'),

  // permission
  permission_denied: once('The policy denies this; layer, rule and reason are in `details`.'),
  approval_required: once('The policy asks for a person’s approval and nobody could be asked.'),
  approval_rejected: once('A person was asked and said no.'),
  approval_invalid: once(
    'The approval does not belong to a call that this process asked about, or was used before.',
  ),

  // paths
  path_invalid: once(
    'The path is not one that a sandbox accepts (empty, `~`, drive letter, `file:`, NUL …).',
  ),
  path_outside: once('The path, or a link on it, leads out of its mount.'),
  not_found: once('Nothing is at this path; the hint names the nearest entry.'),
  not_a_file: once('A folder is at this path where a file is needed.'),
  not_a_directory: once('A file is at this path where a folder is needed.'),
  special_file: once('A FIFO, socket or device is at this path; only regular files are opened.'),
  hard_link: once('The file has more than one name, so its content may belong to something outside.'),
  link_loop: once('Links on this path lead in a circle.'),
  read_only: once('The mount, or the file, cannot be written.'),
  access_denied: once('The operating system refuses access to this file or folder.'),
  disk_full: once('The disk has no room; what was there before is unchanged.'),
  io_error: again('The operating system reported a fault while reading or writing.'),
  file_changed: again('The file changed while it was being read or replaced.'),

  // content
  too_large: once('The content is larger than the limit that the message names.'),
  binary_file: once('The file is not text; size and media type are in `details`.'),
  invalid_encoding: once(
    'The text cannot be said in UTF-8 (lone surrogate) or is not valid in its encoding.',
  ),
  stale_file: once('The file is not the one whose hash was given; read it again first.'),
  edit_no_match: once('The text to replace does not occur in the file.'),
  edit_ambiguous: once('The text to replace occurs more than once, or two edits overlap.'),
  invalid_pattern: once('The search pattern is not valid, or needs a feature that has no linear-time form.'),
  invalid_glob: once('The glob is not valid.'),

  // skills
  skill_not_found: once('No skill of that id was discovered; the message lists the real ids.'),
  skill_unreadable: once('The skill was found but is not usable; the message says why.'),
  skill_over_budget: once(
    'Loading the skill would exceed the budget; `details` say what is loaded and what it needs.',
  ),

  // memory
  memory_disabled: once('Writing memory is switched off in this run.'),
  memory_unavailable: again('The memory service did not answer; this is not the same as “nothing found”.'),
  memory_scope: once('The memory scope is missing or not among those the host allows.'),
  memory_rejected: once(
    'The memory service refused the item, or it may not be stored (empty, too large, holds a secret).',
  ),
  memory_unknown: once('The item was sent but no answer came; it may be stored.'),

  // the run
  timeout: again('The time limit was reached; an effect may still happen.'),
  aborted: once('The call was cancelled.'),
  interrupted: once('The process or worker that ran the call died; whether it took effect is unknown.'),
  busy: again('Too many calls are waiting; try again later.'),
  log_unavailable: once('Calls are refused because their record cannot be written and the host requires it.'),
  tool_failed: once('The tool itself reported a failure; the message is the tool’s.'),
  internal: once('The tool failed unexpectedly; the reference in `details` leads to the host’s error log.'),

  // misuse by the programmer or the person who configures (thrown as KgentError)
  definition_invalid: once('A tool definition cannot work as written.'),
  duplicate_tool: once('Two tools of one name were registered.'),
  config_invalid: once('The configuration does not fit its schema; the message names the place.'),
  rule_invalid: once('A permission rule does not parse or can never match.'),
  run_unusable: once('The run folder cannot be created, opened or written.'),
} as const satisfies Record<string, ErrorCodeMeaning>

/** Every code that an `ErrorInfo` can carry. */
export type ErrorCode = keyof typeof ERROR_CODES
