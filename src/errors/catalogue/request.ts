import type { ErrorEntries } from './error-entry.js';

/** Errors of requests that cannot be understood or are not allowed, over REST and GraphQL. */
export const REQUEST_ERRORS = {
  'request/invalid-values': { kind: 'validation', message: '{summary}' },
  'request/missing-data': { kind: 'validation', message: 'The request body must contain a "data" object.' },
  'request/invalid-body': { kind: 'validation', message: 'The request body must be a JSON object.' },
  'request/invalid-json': { kind: 'validation', message: 'The request body is not valid JSON.' },
  'request/malformed': { kind: 'validation', message: 'The request is malformed.' },
  'request/inexact-number': {
    kind: 'validation',
    message:
      '{path}: the number {literal} would be rounded to {value}. Send it as text where the attribute takes ' +
      'that, or with fewer digits.',
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
    hint: 'Every write of it publishes at once.',
  },
  'request/unknown-locale': {
    kind: 'validation',
    message: 'The locale {locale} is not configured.',
    hint: 'Locales are listed by cms locale list, and added by cms locale add.',
  },
  'request/document-exists': {
    kind: 'application',
    message: 'There already is a document {documentId} of {type}.',
    hint: 'Update it, or create another one without a documentId.',
  },
  'request/query-too-deep': {
    kind: 'validation',
    message: '{parameter} is nested more than {limit} levels deep.',
    hint: 'Request fewer levels, or read the deeper records in a separate request.',
  },
  'request/query-too-large': {
    kind: 'validation',
    message: 'The request has more than {limit} populate, filter and sort entries.',
    hint: 'Request less at once, or raise api.rest.maxNodes.',
  },
  'request/too-many-records': {
    kind: 'validation',
    message: 'The answer would hold more than {limit} records. It grew too large in {branch}.',
    hint:
      'Narrow {branch} with filters, pagination or fields, or read it in requests of its own; or raise ' +
      'api.rest.maxRecords, over GraphQL plugins.graphql.config.complexityLimit.',
  },
  'request/abandoned': {
    kind: 'unavailable',
    message: 'The client left before the answer was there.',
  },
  'request/too-many-items': {
    kind: 'validation',
    message: 'The data contains more than {limit} components, links or passwords.',
    hint: 'Write the document in several requests.',
  },
  'request/invalid-bulk': {
    kind: 'validation',
    message: '{failed} of {total} items cannot be written, so none is. Item {index}: {reason}',
    hint: 'The details list what is wrong with each item. To write the others, set atomic to false.',
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
    message: 'Reading drafts of {type} takes the permission {type}.findDrafts.',
    hint:
      'Grant it to the role: cms permissions set <role> {type} find findOne findDrafts. Requests without ' +
      'it leave out status, hasPublishedVersion and publicationFilter.',
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
