import type { ErrorEntries } from './error-entry.js';

/** Errors of the command line. */
export const CLI_ERRORS = {
  'cli/unknown-command': { kind: 'usage', message: 'Unknown command: cms {command}', hint: '{remedy}' },
  'cli/unknown-flag': { kind: 'usage', message: 'Unknown flag {flag} for {command}.', hint: '{remedy}' },
  'cli/missing-argument': { kind: 'usage', message: 'Missing {argument}.', hint: 'Usage: {usage}' },
  'cli/nothing-to-choose': {
    kind: 'usage',
    message: 'Missing {argument}: there is no {kind} to choose.',
    hint: 'Create one with: {command}',
  },
  'cli/unexpected-argument': {
    kind: 'usage',
    message: 'Unexpected argument {argument} for cms {command}.',
    hint: 'See: cms {command} --help',
  },
  'cli/invalid-usage': { kind: 'usage', message: '{reason}', hint: '{remedy}' },
  'cli/missing-value': {
    kind: 'usage',
    message: 'Missing {label}.',
    hint: 'Pass {label}. Questions are only asked on a terminal, and not with --yes or in CI.',
  },
  'cli/not-confirmed': {
    kind: 'usage',
    message: 'Not confirmed: {question}',
    hint: 'Pass --yes to confirm.',
  },
  'cli/declined': { kind: 'failure', message: 'Cancelled; nothing was changed.' },
  'cli/data-loss': {
    kind: 'data-loss',
    message: 'Refused, because data would be lost: {losses}',
    hint: '{remedies}To lose the data, pass --accept-data-loss.',
  },
  'cli/invalid-values': {
    kind: 'data-loss',
    message: 'Refused, because stored values would not fit the new schema: {invalid}',
    hint: '{remedies}Pass --accept-invalid to keep them as they are.',
  },
  'cli/data-loss-and-invalid-values': {
    kind: 'data-loss',
    message:
      'Refused, because data would be lost: {losses}; ' +
      'and stored values would not fit the new schema: {invalid}',
    hint: '{remedies}To lose the data and keep the values, pass --accept-data-loss --accept-invalid.',
  },
  'cli/unknown-name': { kind: 'not-found', message: 'There is no {kind} {name}.', hint: '{remedy}' },
  'cli/project-not-found': {
    kind: 'failure',
    message: 'There is no cms.config.ts, .js or .mjs in {folder} or any folder above it.',
    hint: 'Change into a project, or create one with: cms new my-site',
  },
  'cli/empty-secret': {
    kind: 'usage',
    message: 'The value of {label} is empty.',
    hint: 'Pass it on standard input with {label} -, or from a file with {label}-file.',
  },
  'cli/interrupted': { kind: 'failure', message: 'Interrupted.' },
  'cli/stopped': { kind: 'failure', message: '{work} was interrupted after {done}.', hint: '{remedy}' },
  'cli/unexpected': { kind: 'internal', message: '{reason}', hint: 'Set DEBUG=1 for the stack trace.' },
  'cli/tool-failed': { kind: 'failure', message: '{tool} failed: {reason}', hint: '{remedy}' },
} as const satisfies ErrorEntries;
