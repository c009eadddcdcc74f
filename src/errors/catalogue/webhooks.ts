import type { ErrorEntries } from './error-entry.js';

/** Errors of webhooks. */
export const WEBHOOK_ERRORS = {
  'webhook/unknown': { kind: 'not-found', message: 'There is no webhook {name}.', hint: '{remedy}' },
  'webhook/exists': {
    kind: 'conflict',
    message: 'There is already a webhook named {name}.',
    hint: 'Remove it first with: cms webhook remove {word}',
  },
  'webhook/declared': {
    kind: 'failure',
    message: 'The webhook {name} is declared in {file}, and can only be changed there.',
  },
  'webhook/invalid': { kind: 'usage', message: '{reason}', hint: '{remedy}' },
  'webhook/unknown-delivery': {
    kind: 'not-found',
    message: 'There is no delivery {key}.',
    hint: 'See: cms webhook log. Deliveries are kept for 30 days.',
  },
} as const satisfies ErrorEntries;
