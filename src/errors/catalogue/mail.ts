import type { ErrorEntries } from './error-entry.js';

/** Errors of e-mail. */
export const MAIL_ERRORS = {
  'mail/transport-not-configured': {
    kind: 'failure',
    message: 'A message to {to} could not be sent: no e-mail transport is configured.',
    hint: 'Set plugins.email.config.providerOptions in cms.config.ts to a nodemailer transport.',
  },
  'mail/send-failed': {
    kind: 'failure',
    message: 'A message to {to} could not be sent: {reason}',
    hint: 'See plugins.email.config.providerOptions in cms.config.ts, and the log of the mail server.',
  },
  'mail/invalid-template': { kind: 'failure', message: '{file} cannot be used: {reason}' },
} as const satisfies ErrorEntries;
