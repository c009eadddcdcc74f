import type { ErrorEntries } from '../error-kind.js';

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
