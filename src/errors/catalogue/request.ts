import type { ErrorEntries } from '../galley-error.js';

/** Errors of requests that cannot be understood or are not allowed, over REST and GraphQL. */
export const REQUEST_ERRORS = {
  'request/invalid-values': { kind: 'validation', message: '{summary}' },
  'request/missing-data': { kind: 'validation', message: 'The request body must contain a "data" object.' },
  'request/invalid-body': { kind: 'validation', message: 'The request body must be a JSON object.' },
  'request/invalid-json': { kind: 'validation', message: 'The request body is not valid JSON.' },
  'request/invalid-encoding': {
    kind: 'validation',
    message: 'The request body is not UTF-8.',
    hint: 'Encode the body as UTF-8.',
  },
  'request/malformed': { kind: 'validation', message: 'The request is malformed.' },
  'request/inexact-number': {
    kind: 'validation',
    message:
      '{path}: the number {literal} would be rounded to {value}. Send it as text if the attribute accepts ' +
      'text, or with fewer digits.',
  },
  'request/body-too-deep': {
    kind: 'validation',
    message: 'The request body is nested more than {limit} levels deep.',
  },
  'request/invalid-key': { kind: 'validation', message: 'Invalid key {key}{reason}' },
  'request/invalid-query-string': {
    kind: 'validation',
    message:
      'The query string has more than {parameters} parameters, a list of more than {items} items, or ' +
      'brackets nested more than {depth} deep.',
  },
  'request/invalid-form': {
    kind: 'validation',
    message:
      'The form has more than {parameters} fields, a list of more than {items} items, or brackets nested ' +
      'more than {depth} deep.',
  },
  'request/invalid-parameter': { kind: 'validation', message: 'Invalid parameter {parameter}: {reason}' },
  'request/invalid-relation': { kind: 'validation', message: '{attribute}: {reason}' },
  'request/no-drafts': {
    kind: 'validation',
    message: '{type} has no drafts, so there is nothing to {verb}.',
    hint: 'Every write is published immediately.',
  },
  'request/unknown-release': {
    kind: 'not-found',
    message: 'There is no release {name}.',
    hint: 'List releases with: cms release list',
  },
  'request/unknown-locale': {
    kind: 'validation',
    message: 'The locale {locale} is not configured.',
    hint: 'List the locales with cms locale list, or add one with cms locale add.',
  },
  'request/document-exists': {
    kind: 'application',
    message: '{type} already has a document {documentId}.',
    hint: 'Update it, or create another one without a documentId.',
  },
  'trash/unknown': {
    kind: 'not-found',
    message: 'The trash has no entry {id}.',
    hint: 'See: cms content trash list',
  },
  'trash/type-removed': {
    kind: 'application',
    message: '{type} {documentId} cannot be restored: the schema has no such type.',
    hint: 'Add the type again, or revert the migration that removed it.',
  },
  'trash/single-exists': {
    kind: 'application',
    message: '{type} has another document now, and a single type has only one.',
    hint: 'Delete that document first.',
  },
  'trash/not-restorable': {
    kind: 'application',
    message: '{type} {documentId} cannot be restored: {reason}.',
    hint: 'Change the values or documents that are in the way, and restore it again.',
  },
  'request/changed': {
    kind: 'precondition-failed',
    message: 'This {type} was changed or deleted since you read it. Nothing was written.',
    hint: 'Read it again, and apply the change to that version. The details contain it if you may read it.',
  },
  'request/unseen-draft': {
    kind: 'precondition-failed',
    message: 'The draft of this {type} has unpublished changes that you have not read. Nothing was written.',
    hint: 'Read the document with status=draft, and apply the change to it.',
  },
  'request/version-exists': {
    kind: 'precondition-failed',
    message: 'This {type} exists in {locale}. Nothing was written.',
    hint: 'Update that version, or delete it first.',
  },
  'request/changed-items': {
    kind: 'precondition-failed',
    message: '{failed} of {total} items were changed or deleted since you read them, so no item was written.',
    hint: 'Read these documents again. The details list them.',
  },
  'request/query-too-deep': {
    kind: 'validation',
    message: '{parameter} is nested more than {limit} levels deep.',
    hint: 'Request fewer levels, or read the deeper records in a separate request.',
  },
  'request/query-too-large': {
    kind: 'validation',
    message: 'The request has more than {limit} populate, filter and sort entries.',
    hint: 'Send a smaller request, or raise api.rest.maxNodes.',
  },
  'request/too-many-records': {
    kind: 'validation',
    message: 'The response would contain more than {limit} records. It grew too large in {branch}.',
    hint:
      'Narrow {branch} with filters, pagination or fields, or read it in separate requests. Or raise ' +
      'api.rest.maxRecords; for GraphQL, plugins.graphql.config.complexityLimit.',
  },
  'request/abandoned': {
    kind: 'unavailable',
    message: 'The client disconnected before the response was ready.',
  },
  'request/too-many-items': {
    kind: 'validation',
    message: 'The data contains more than {limit} components, links or passwords.',
    hint: 'Write the document in several requests.',
  },
  'request/invalid-bulk': {
    kind: 'validation',
    message: '{failed} of {total} items cannot be written, so no item was written. Item {index}: {reason}',
    hint: 'The details list the errors of each item. To write the other items, set atomic to false.',
  },
  'request/invalid-bulk-body': { kind: 'validation', message: '{summary}' },
  'request/too-many-bulk-items': {
    kind: 'validation',
    message: 'One request writes at most {limit} items, not {count}.',
    hint: 'Send several requests, or raise api.rest.maxBulk.',
  },
  'request/mixed-pagination': {
    kind: 'pagination',
    message: 'Page-based and offset-based pagination cannot be mixed.',
  },
  'request/not-found': { kind: 'not-found', message: 'Not Found' },
  'request/method-not-allowed': { kind: 'method-not-allowed', message: 'Method Not Allowed' },
  'request/unauthorized': { kind: 'unauthorized', message: 'Missing or invalid credentials' },
  'request/forbidden': { kind: 'forbidden', message: 'Forbidden' },
  'request/drafts-forbidden': {
    kind: 'forbidden',
    message: 'Reading drafts of {type} requires the permission {type}.findDrafts.',
    hint:
      'Grant it to the role: cms permissions set <role> {type} find findOne findDrafts. Or omit status, ' +
      'hasPublishedVersion and publicationFilter from the request.',
  },
  'request/drafts-only': {
    kind: 'forbidden',
    message: 'The permission covers only drafts of {type}, and {reason}.',
    hint: 'Send status=draft to save a draft. To permit more, set the permission without --status draft.',
  },
  'request/locale-forbidden': {
    kind: 'forbidden',
    message: 'The permission on {type} covers only {locales}, and {reason}.',
    hint: 'To permit other locales, name them with --locale of: cms permissions set',
  },
  'request/owner-forbidden': {
    kind: 'forbidden',
    message: 'The server sets {type}.{attribute}. Changing it requires the permission {type}.setOwner.',
    hint: 'Omit the attribute, or grant the permission: cms permissions set <role> {type} setOwner --keep',
  },
  'request/rate-limited': { kind: 'rate-limited', message: 'Too many requests; try again in {seconds} s.' },
  'request/too-large': { kind: 'payload-too-large', message: 'The request is too large.' },
  'request/path-too-long': { kind: 'path-too-long', message: 'The path of the request is too long.' },
  'request/headers-too-large': {
    kind: 'headers-too-large',
    message: 'The URL or the headers of the request are too long.',
  },
  'request/unsupported-media-type': {
    kind: 'unsupported-media-type',
    message: 'The content type {type} is not supported.',
  },
} as const satisfies ErrorEntries;

/** Errors of the running server. */
export const SERVER_ERRORS = {
  'server/internal': { kind: 'internal', message: 'Internal Server Error' },
  'events/too-many-streams': {
    kind: 'unavailable',
    message: 'This process already sends events to {limit} clients, the maximum.',
    hint: 'Raise events.maxStreams, or start more processes.',
  },
  'events/too-many-streams-of-address': {
    kind: 'rate-limited',
    message: 'This address already receives events over {limit} connections, the maximum.',
    hint: 'Raise events.maxStreamsPerAddress. Behind a proxy, set server.proxy.',
  },
  'server/shutting-down': { kind: 'unavailable', message: 'The server is shutting down; try again.' },
  'server/not-ready': {
    kind: 'unavailable',
    message: 'The server is not ready. See the output of cms dev in its terminal.',
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
    message: 'The server has no disk space left and cannot store anything; try again later.',
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
    message: 'The webhook {name} is declared in {file}. Commands cannot change it.',
    hint: 'Change it in {file}.',
  },
  'webhook/invalid': { kind: 'usage', message: '{reason}', hint: '{remedy}' },
  'webhook/unknown-delivery': {
    kind: 'not-found',
    message: 'There is no delivery {key}.',
    hint: 'See: cms webhook log. Deliveries are kept for 30 days.',
  },
} as const satisfies ErrorEntries;

/** Errors of tools that clients call over the Model Context Protocol. */
export const MCP_ERRORS = {
  'mcp/invalid-argument': {
    kind: 'validation',
    message: '{tool}: {argument} {reason}.',
    hint: '{remedy}',
  },
  'mcp/forbidden': {
    kind: 'forbidden',
    message: 'This client may not {action} {type}.',
    hint:
      'It requires the permission {permission}. list_types lists the permitted actions; ' +
      'cms permissions set and cms token create grant others.',
  },
  'mcp/unknown-type': {
    kind: 'not-found',
    message: 'There is no content-type {name} that this client may use.',
    hint: '{remedy}',
  },
  'mcp/unknown-document': {
    kind: 'not-found',
    message: 'There is no {type} {documentId}{version} that this client may see.',
    hint: 'Look up documentIds with find. Check the locale and the status, too.',
  },
  'mcp/plan-changed': {
    kind: 'conflict',
    message:
      'The confirmation does not match this call. The arguments, the content or the rights have changed ' +
      'since the plan, or the plan is older than {minutes} minutes.',
    hint: 'Call {tool} without confirm, read the new plan, and confirm that one.',
  },
  'mcp/cut-text': {
    kind: 'validation',
    message: '{path} contains the mark of a text that a response has cut. Writing it would lose the rest.',
    hint: 'Read the whole text with get, its path and offset, or leave {path} out of the data.',
  },
  'mcp/unknown-path': {
    kind: 'validation',
    message: 'The document has no value at {path}.',
    hint: 'Its names are {names}. Names of components and list indexes are joined with dots: seo.title.',
  },
  'mcp/upload-rejected': { kind: 'validation', message: '{source}: {reason}.', hint: '{remedy}' },
  'mcp/origin-rejected': {
    kind: 'forbidden',
    message: 'Web pages of {origin} may not call this endpoint.',
    hint: 'Add the origin to server.cors.origin.',
  },
  'mcp/host-rejected': {
    kind: 'forbidden',
    message: 'The server is not reachable under the name {host}.',
    hint: 'In development, use localhost, or set server.url.',
  },
} as const satisfies ErrorEntries;
