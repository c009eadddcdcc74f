import type { ContentModel, Uid } from '../../model/model.js';
import type { SchemaSwitches } from '../schema/switches.js';
import type { ExtensionConfiguration, ExtensionFactory } from './configuration.js';
import { createShadowCrud } from './shadow-crud.js';
import type { TypeSwitches } from './shadow-crud.js';

/**
 * What a project makes of its GraphQL schema; handed to `register`.
 *
 * @example
 * graphql.shadowCRUD('api::article.article').disableAction('delete').field('notes').disableOutput();
 * graphql.use({ typeDefs: 'type Query { now: String }', resolvers: { Query: { now: () => new Date().toISOString() } } });
 */
export interface GraphqlExtensionService {
  /** The switches of a content-type (`api::article.article`) or component (`shared.seo`). Throws `graphql/unknown-type`. */
  readonly shadowCRUD: (uid: Uid) => TypeSwitches;
  /** Adds to the schema. A function is called when the schema is built. */
  readonly use: (extension: ExtensionConfiguration | ExtensionFactory) => GraphqlExtensionService;
}

/** One call of `use`, and what errors call it. */
export interface Use {
  readonly place: string;
  readonly value: unknown;
}

export interface ExtensionCalls {
  readonly service: GraphqlExtensionService;
  readonly switches: SchemaSwitches;
  readonly uses: readonly Use[];
}

/** @param locate names the file whose code is running (`src/index.ts`) */
export function createExtensionService(model: ContentModel, locate: () => string): ExtensionCalls {
  const shadowCrud = createShadowCrud(model);
  const uses: Use[] = [];
  const service: GraphqlExtensionService = Object.freeze<GraphqlExtensionService>({
    shadowCRUD: shadowCrud.of,
    use: (value) => {
      uses.push({ place: `${uses.length + 1} (${locate()})`, value });
      return service;
    },
  });
  return { service, switches: shadowCrud.switches, uses };
}
