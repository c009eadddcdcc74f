import type { ContentModel } from '../../../model/model.js';
import type { SchemaSwitches } from '../schema/switches.js';
import type { GraphqlExtensionService } from './configuration.js';
import { createShadowCrud } from './shadow-crud.js';

/** The parameter of one call of `use`, and the name that errors give the call. */
export interface RegisteredExtension {
  readonly source: string;
  readonly value: unknown;
}

export interface ExtensionRegistrations {
  readonly service: GraphqlExtensionService;
  readonly switches: SchemaSwitches;
  readonly extensions: readonly RegisteredExtension[];
}

/**
 * Creates the extension service of a project.
 *
 * @param locate returns the file whose code is running, such as `src/index.ts`
 */
export function createExtensionService(model: ContentModel, locate: () => string): ExtensionRegistrations {
  const shadowCrud = createShadowCrud(model);
  const extensions: RegisteredExtension[] = [];
  const service: GraphqlExtensionService = Object.freeze<GraphqlExtensionService>({
    shadowCRUD: shadowCrud.forType,
    use: (value) => {
      extensions.push({ source: `${extensions.length + 1} (${locate()})`, value });
      return service;
    },
  });
  return { service, switches: shadowCrud.switches, extensions };
}
