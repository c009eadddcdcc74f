import type { ErrorEntries } from './error-entry.js';

/** Errors of the running server. */
export const SERVER_ERRORS = {
  'server/internal': { kind: 'internal', message: 'Internal Server Error' },
  'server/shutting-down': { kind: 'unavailable', message: 'The server is shutting down; try again.' },
  'server/not-ready': {
    kind: 'unavailable',
    message: 'Nothing is served yet: see what cms dev says in its terminal.',
  },
  'server/port-in-use': {
    kind: 'failure',
    message: 'Port {port} on {host} is in use.',
    hint: 'Stop the process that listens there, or choose another port with --port.',
  },
  'server/listen-failed': { kind: 'failure', message: 'Cannot listen on {host}, port {port}: {reason}' },
  'server/worker-failed': { kind: 'failure', message: '{reason}', hint: '{remedy}' },
  'server/unavailable': { kind: 'unavailable', message: 'The server is busy; try again.' },
  'server/no-database': {
    kind: 'unavailable',
    message: 'The database cannot be reached at present; try again later.',
  },
  'server/disk-full': {
    kind: 'unavailable',
    message: 'The server has no space left, and stores nothing until there is; try again later.',
  },
  'server/read-only': {
    kind: 'unavailable',
    message: 'The server cannot write its files or its database at present; try again later.',
  },
  'server/disk-failing': {
    kind: 'unavailable',
    message: 'The disk of the server reports errors; try again later.',
  },
} as const satisfies ErrorEntries;
