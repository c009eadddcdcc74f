import type { ErrorEntries } from '../galley-error.js';

/** Errors of the GraphQL endpoint, of subscriptions and of schema extensions. */
export const GRAPHQL_ERRORS = {
  'graphql/too-deep': {
    kind: 'validation',
    message: 'The operation is nested {depth} levels deep; plugins.graphql.config.depthLimit allows {limit}.',
    hint: 'Request fewer levels, or raise the limit.',
  },
  'graphql/too-many-items': {
    kind: 'validation',
    message:
      'The response would contain more than {limit} items. plugins.graphql.config.amountLimit sets this ' +
      'limit for all root lists combined and for each nested list.',
    hint: 'Request a page with pagination, or raise the limit.',
  },
  'graphql/invalid-request': { kind: 'validation', message: '{reason}' },
  'graphql/missing-csrf-header': {
    kind: 'validation',
    message:
      'A GET request must have the header content-type: application/json. This protects against ' +
      'cross-site requests.',
  },
  'graphql/too-many-tokens': {
    kind: 'validation',
    message: 'The document has more than {limit} tokens, the limit of plugins.graphql.config.tokenLimit.',
    hint: 'Send a smaller document, or raise the limit.',
  },
  'graphql/too-many-aliases': {
    kind: 'validation',
    message: 'The request uses {aliases} aliases; plugins.graphql.config.aliasLimit allows {limit}.',
    hint: 'Use fewer aliases, or raise the limit.',
  },
  'graphql/ambiguous-alias': {
    kind: 'validation',
    message: '{alias} names different fields or arguments below several aliases of one list.',
    hint: 'Give each of these fields a separate alias.',
  },
  'graphql/too-many-selections': {
    kind: 'validation',
    message:
      'The request selects more than {limit} nested fields, counting those of a fragment at every spread.',
    hint: 'Select fewer fields.',
  },
  'graphql/variables-too-large': {
    kind: 'validation',
    message: 'The variables have more than {limit} list items and input fields.',
    hint: 'Send several requests with fewer values each.',
  },
  'graphql/variables-too-deep': {
    kind: 'validation',
    message: 'The variables are nested more than {limit} levels deep.',
    hint: 'Send values with fewer levels.',
  },
  'graphql/invalid-variable': {
    kind: 'validation',
    message: 'The variable {variable} has an invalid value at {path}: {reason}',
  },
  'graphql/more-errors': {
    kind: 'validation',
    message: '{count} more errors are not listed.',
  },
  'graphql/batch-too-large': {
    kind: 'validation',
    message: 'The request is a batch of {size} operations; plugins.graphql.config.batchLimit allows {limit}.',
    hint: 'Send several requests, or raise the limit.',
  },
  'graphql/persisted-query-not-found': {
    kind: 'not-found',
    message: 'No document is stored under that hash. Send it once with the hash.',
  },
  'graphql/persisted-query-not-supported': {
    kind: 'not-found',
    message: 'Persisted queries are disabled: plugins.graphql.config.persistedQueries is off.',
  },
  'graphql/persisted-query-hash-mismatch': {
    kind: 'validation',
    message: 'The SHA-256 hash of the document differs from the one sent with it.',
  },
  'graphql/persisted-queries-only': {
    kind: 'forbidden',
    message:
      'Only documents registered by the project are accepted: ' +
      'plugins.graphql.config.persistedQueries.only is on.',
  },
  'graphql/invalid-persisted-queries': {
    kind: 'failure',
    message: 'plugins.graphql.config.persistedQueries.from: {file} cannot be used: {reason}',
    hint:
      'It must be a folder of .graphql files, one such file, or a .json file that maps hashes or names to ' +
      'documents.',
  },
  'graphql/too-many-connections': {
    kind: 'unavailable',
    message:
      'There are already {limit} WebSocket connections, the limit of ' +
      'plugins.graphql.config.subscriptions.maxConnections.',
  },
  'graphql/subscription-requires-websocket': {
    kind: 'validation',
    message: 'Subscriptions are only available over WebSocket, with the protocol graphql-transport-ws.',
  },
  'graphql/too-many-subscriptions': {
    kind: 'validation',
    message: 'This connection already has {limit} subscriptions, the maximum.',
    hint: 'End one first, or raise plugins.graphql.config.subscriptions.maxPerConnection.',
  },
  'subscriptions/too-many-delete-filters': {
    kind: 'unavailable',
    message: 'Subscriptions to deletions already use {limit} different filters, the maximum.',
  },
  'graphql/unknown-type': {
    kind: 'failure',
    message: 'graphql.shadowCRUD: there is no content-type or component {uid}.',
    hint: 'Allowed: {allowed}.',
  },
  'graphql/unknown-field': {
    kind: 'failure',
    message: 'graphql.shadowCRUD: {uid} has no field {field}.',
    hint: 'Allowed: {allowed}.',
  },
  'graphql/unknown-action': {
    kind: 'failure',
    message: 'graphql.shadowCRUD: {uid} has no action {action}.',
    hint: 'Allowed: {allowed}.',
  },
  'graphql/invalid-extension': {
    kind: 'failure',
    message: 'GraphQL extension {location}, {key}: {reason}',
    hint: 'Correct it, or remove that use().',
  },
  'graphql/policy-failed': { kind: 'policy', message: 'Policy Failed' },
} as const satisfies ErrorEntries;
