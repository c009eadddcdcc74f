export { createClient } from './client/create-client.js';
export type { Client, ClientBase, GraphqlDocument, SchemaShape } from './client/create-client.js';
export {
  ApiError,
  ForbiddenError,
  GraphqlError,
  NetworkError,
  NotFoundError,
  RateLimitError,
  UnauthorizedError,
  ValidationError,
} from './client/errors.js';
export type { GraphqlIssue, Issue } from './client/errors.js';
export type { Aggregate, AggregateQuery } from './client/aggregate-types.js';
export type { Auth, SignedIn } from './client/auth.js';
export type {
  BulkItem,
  BulkOutcome,
  BulkQuery,
  BulkResponse,
  Collection,
  IterateQuery,
  OneQuery,
  SingleType,
  VersionQuery,
  WriteQuery,
} from './client/content-types.js';
export type { FileInfo, Files, UploadOptions } from './client/files.js';
export type { Session, SessionStorage } from './client/session.js';
export type { SubscribeOptions } from './client/subscribe.js';
export type { ClientOptions, Outgoing, RequestOptions } from './client/transport.js';
