import type { ConfigInput } from './config/config.js';

export type { BootstrapContext, Extensions, RegisterContext } from './app/extensions.js';
export type { Config, ConfigInput } from './config/config.js';
export type { DocumentService } from './documents/documents.js';
export type { AfterListener, BeforeListener, DocumentEvent, DocumentMiddleware, DocumentOperation } from './documents/hooks.js';
export type {
  Application as GraphqlApplication, ExtensionConfiguration, ExtensionFactory, ExtensionTools, GraphqlExtensionService, InlinePolicy, Middleware, MiddlewareFactory,
  Next, Policy, PolicyContext, Resolver, ResolverConfig, ResolverContext, ResolverEntry, Resolvers, WithApplication,
} from './graphql/extension/configuration.js';
export type { FieldSwitches, TypeSwitches } from './graphql/extension/shadow-crud.js';
export type { ShownDocument, TypeDocuments } from './graphql/extension/type-documents.js';
export type { ContentModel, ContentType } from './model/model.js';

/**
 * Types the configuration of a project; returns it as it is.
 *
 * @example
 * // cms.config.ts
 * import { defineConfig } from 'galley';
 * export default defineConfig({ api: { rest: { maxLimit: 200 } } });
 */
export function defineConfig(config: ConfigInput): ConfigInput {
  return config;
}
