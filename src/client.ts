export { createClient } from './api/client/create-client.js';
export type { Client, ClientBase, GraphqlDocument, SchemaShape } from './api/client/create-client.js';
export {
  ApiError,
  ChangedError,
  ForbiddenError,
  GraphqlError,
  NetworkError,
  NotFoundError,
  RateLimitError,
  UnauthorizedError,
  ValidationError,
} from './api/client/transport.js';
export type { GraphqlIssue, Issue, PresentVersion } from './api/client/transport.js';
export type { Aggregate, AggregateQuery } from './api/client/content.js';
export type { Auth, SignedIn } from './api/client/create-client.js';
export type {
  BulkItem,
  BulkOutcome,
  BulkQuery,
  BulkResponse,
  Collection,
  IterateQuery,
  OneQuery,
  SingleType,
  TranslateQuery,
  VersionQuery,
  WriteOptions,
  WriteQuery,
} from './api/client/content.js';
export type { FileInfo, Files, UploadOptions } from './api/client/create-client.js';
export type { Session, SessionStorage } from './api/client/transport.js';
export type { LiveOptions } from './api/client/live.js';
export type { SubscribeOptions } from './api/client/subscribe.js';
export type { ClientOptions, Outgoing, RequestOptions } from './api/client/transport.js';
