/**
 * The kind of an error, independent of any transport. REST maps it to a status, GraphQL to an extension code,
 * the command line to an exit code.
 */
export type ErrorKind =
  | 'validation'
  | 'pagination'
  | 'application'
  | 'unauthorized'
  | 'forbidden'
  | 'policy'
  | 'not-found'
  | 'method-not-allowed'
  | 'conflict'
  | 'payload-too-large'
  | 'path-too-long'
  | 'headers-too-large'
  | 'unsupported-media-type'
  | 'rate-limited'
  | 'unavailable'
  | 'not-implemented'
  | 'internal'
  | 'usage'
  | 'failure'
  | 'data-loss'
  | 'pending';
