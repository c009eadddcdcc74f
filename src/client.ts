export { createClient } from './api/client/create-client.js';
export type { Client, ClientBase, GraphqlDocument, SchemaShape } from './api/client/create-client.js';
export {
  ApiError,
  ForbiddenError,
  GraphqlError,
  NetworkError,
  NotFoundError,
  RateLimitError,
  UnauthorizedError,
  ValidationError,
} from './api/client/errors.js';
export type { GraphqlIssue, Issue } from './api/client/errors.js';
export type { Aggregate, AggregateQuery } from './api/client/aggregate-types.js';
export type { Auth, SignedIn } from './api/client/auth.js';
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
} from './api/client/content-types.js';
export type { FileInfo, Files, UploadOptions } from './api/client/files.js';
export type { Session, SessionStorage } from './api/client/session.js';
export type { SubscribeOptions } from './api/client/subscribe.js';
export type { ClientOptions, Outgoing, RequestOptions } from './api/client/transport.js';
