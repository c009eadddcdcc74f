import type { GraphQLSchema } from 'graphql';
import type { ContentModel } from '../../../model/model.js';
import { buildSchema } from './build-schema.js';
import type { SchemaOptions } from './build-schema.js';
import type { SchemaExtension } from './switches.js';

/** Builds the schema of a project: that of its content model, with the project's extension. */
export async function buildProjectSchema(
  model: ContentModel,
  options: Omit<SchemaOptions, 'switches' | 'includeUnusedTypes' | 'additions'>,
  extension: SchemaExtension | undefined,
): Promise<GraphQLSchema> {
  if (extension === undefined) return buildSchema(model, { ...options, additions: true });
  return extension.extend(
    buildSchema(model, {
      ...options,
      additions: true,
      switches: extension.switches,
      includeUnusedTypes: extension.addsTypes,
    }),
  );
}
