import type { ContentModel } from '../../model/model.js';
import type { SchemaSwitches } from '../schema/switches.js';
import type { GraphqlExtensionService } from './configuration.js';
import { createShadowCrud } from './shadow-crud.js';

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
