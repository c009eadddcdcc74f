import type { ConfigInput } from './config/config.js';

export type {
  BootstrapContext,
  DestroyContext,
  Extensions,
  RegisterContext,
} from './project/open/extensions.js';
export type {
  Batches,
  MigrationCode,
  MigrationContext,
  SqlTag,
} from './project/migrate/migration-context.js';
export type { Config, ConfigInput } from './config/config.js';
export type { DocumentRepository } from './documents/document-repository.js';
export type { ProjectDocuments } from './documents/create-repository.js';
export type {
  ContentTypeUid,
  DocumentOf,
  InputOf,
  ProjectPrismaClient,
  QueryOf,
} from './documents/document-repository.js';
// A star, because TypeScript lets projects add to interfaces that are exported this way only.
export type * from './documents/document-repository.js';
export type {
  AfterListener,
  BeforeListener,
  DocumentEvent,
  DocumentMiddleware,
  DocumentOperation,
  HookTransaction,
} from './documents/hooks.js';
export {
  ApplicationError,
  ForbiddenError,
  NotFoundError,
  NotImplementedError,
  PaginationError,
  PayloadTooLargeError,
  PolicyError,
  RateLimitError,
  UnauthorizedError,
  ValidationError,
} from './errors/project-errors.js';
export type {
  Application,
  ExtensionConfiguration,
  ExtensionFactory,
  ExtensionTools,
  GraphqlExtensionService,
  InlinePolicy,
  Middleware,
  MiddlewareFactory,
  Next,
  Policy,
  PolicyContext,
  Resolver,
  ResolverConfig,
  ResolverContext,
  ResolverEntry,
  Resolvers,
  WithApplication,
} from './api/graphql/extension/configuration.js';
export type { FieldSwitches, TypeSwitches } from './api/graphql/extension/shadow-crud.js';
export type { ContentModel, ContentType } from './model/model.js';
export { defineCheck } from './transfer/checks/check.js';
export type { CheckedVersionInfo, CheckProblem, ContentCheck } from './transfer/checks/check.js';

/**
 * Types the configuration of a project. Returns it unchanged.
 *
 * @example
 *   // cms.config.ts
 *   import { defineConfig } from 'galley';
 *   export default defineConfig({ api: { rest: { maxLimit: 200 } } });
 */
export function defineConfig(config: ConfigInput): ConfigInput {
  return config;
}
