import type { ErrorEntries } from './error-entry.js';

/** Errors of the file system. */
export const FILE_ERRORS = {
  'file/not-permitted': {
    kind: 'failure',
    message: '{path} cannot be {action}: this user lacks the permission.',
    hint: 'Let this user {verb} {target}, or run the command as its owner.',
  },
  'file/read-only': {
    kind: 'failure',
    message: '{path} cannot be written: its disk is mounted read-only.',
    hint: 'Run the command where the project can be written.',
  },
  'file/no-space': {
    kind: 'failure',
    message: '{path} cannot be written: there is no space left.',
    hint: 'Free some space on its disk, then run the command again.',
  },
  'file/failing': {
    kind: 'failure',
    message: '{path} cannot be read or written: its disk reports an error.',
    hint: 'Look at the log of the system (dmesg), and at the disk or the network that it is reached by.',
  },
  'file/too-many-open': {
    kind: 'failure',
    message: '{path} cannot be opened: too many files are open.',
    hint: 'Raise the limit (ulimit -n), or end other processes, then run the command again.',
  },
  'file/missing': { kind: 'failure', message: '{path} does not exist.', hint: 'Check the path.' },
} as const satisfies ErrorEntries;
