import { printSdl } from '../../../src/graphql/schema/build-schema.js';
import { buildProjectSchema } from '../../../src/graphql/schema/build-project-schema.js';
import { createExtensionService } from '../../../src/graphql/extension/extension-service.js';
import type { GraphqlExtensionService } from '../../../src/graphql/extension/configuration.js';
import { createSchemaExtension } from '../../../src/graphql/extension/create-schema-extension.js';
import type { SchemaExtensionParts } from '../../../src/graphql/extension/create-schema-extension.js';
import type { NamedCode } from '../../../src/graphql/extension/named-code.js';
import type { ContentModel } from '../../../src/model/model.js';
import type { GraphQLSchema } from 'graphql';

const named = (code: Readonly<Record<string, unknown>>): NamedCode => ({ names: () => Object.keys(code), get: async (name) => code[name] });

export interface Extended {
  readonly schema: GraphQLSchema;
  readonly sdl: string;
}

/** The schema of a model with what a project makes of it. */
export async function extended(model: ContentModel, extend: (graphql: GraphqlExtensionService) => void, code: Readonly<Record<string, unknown>> = {}): Promise<Extended> {
  const calls = createExtensionService(model, () => 'src/index.ts');
  extend(calls.service);
  const extension = createSchemaExtension({ calls, app: {} as SchemaExtensionParts['app'], code: { policies: named(code), middlewares: named(code) } });
  const schema = await buildProjectSchema(model, { shadowCRUD: true, isLocale: () => true }, extension);
  return { schema, sdl: printSdl(schema) };
}
