import type { ErrorEntries } from './error-entry.js';

/** Errors of commands that work with a remote server. */
export const REMOTE_ERRORS = {
  'remote/unknown': { kind: 'not-found', message: 'There is no remote {name}.', hint: '{remedy}' },
  'remote/exists': {
    kind: 'conflict',
    message: 'There is already a remote {name}: {url}',
    hint: 'Replace it with --force.',
  },
  'remote/invalid-name': {
    kind: 'usage',
    message: '{name} is no name for a remote.',
    hint: 'Names begin with a letter and hold letters, digits and hyphens: production, staging-2.',
  },
  'remote/invalid-address': {
    kind: 'usage',
    message: '{address} is no address of a server: {reason}.',
    hint: 'Addresses look like https://cms.example.com, or https://cms.example.com/api.',
  },
  'remote/token-in-arguments': {
    kind: 'usage',
    message: 'A token in the arguments is seen by everybody on this machine.',
    hint: 'Use --token - for standard input, --token-file, or {variable}. Replace the token that was typed.',
  },
  'remote/readable-by-others': {
    kind: 'failure',
    message: '{file} holds tokens, and others may read it.',
    hint: 'Take their rights away: chmod 600 {file}',
  },
  'remote/invalid-file': {
    kind: 'failure',
    message: '{file} cannot be read: {reason}.',
    hint: 'Correct it, or remove it and add the remotes again: cms remote add NAME URL',
  },
  'remote/no-token': {
    kind: 'failure',
    message: 'There is no token for {name}.',
    hint: 'Set {variable}, or keep one with: cms remote add {name} {url} --force --token -',
  },
  'remote/unreachable': {
    kind: 'failure',
    message: '{name} cannot be reached at {url}: {reason}.',
    hint: 'See whether the address is right and the server runs: cms remote check {name}',
  },
  'remote/unexpected-answer': {
    kind: 'failure',
    message: '{name} does not answer at {url} as a server of the same kind does: {reason}.',
    hint: 'See whether the address is that of the API, and the server of this version or a later one.',
  },
  'remote/unauthorized': {
    kind: 'failure',
    message: '{name} does not know the token, or it has expired.',
    hint:
      'Make one there with cms token create, and keep it with: ' +
      'cms remote add {name} {url} --force --token -',
  },
  'remote/forbidden': {
    kind: 'failure',
    message: '{name} does not let the token do that: {reason}.',
    hint:
      'Reading what is published takes a token of type read-only (of types with drafts with --status ' +
      'published), everything else one of type full-access.',
  },
  'remote/refused': { kind: 'failure', message: '{reason}' },
  'remote/busy': {
    kind: 'failure',
    message: '{name} takes no requests now: {reason}.',
    hint: 'Try again later.',
  },
  'remote/uncertain': {
    kind: 'failure',
    message:
      'The connection to {name} broke before it answered: {reason}. It may have written what was sent.',
    hint: 'See what is there before you run the command again: cms content list TYPE --remote {name}',
  },
  'remote/other-schema': {
    kind: 'failure',
    message: '{type} is another type at {name}: {reason}.',
    hint: 'Bring both to the same release before content is exchanged.',
  },
  'remote/too-many-writes': {
    kind: 'failure',
    message: '{count} writes do not fit into one transaction of {name}, which takes {limit}.',
    hint: 'Push without --atomic or fewer types at once, or raise api.rest.maxBulk there.',
  },
} as const satisfies ErrorEntries;
