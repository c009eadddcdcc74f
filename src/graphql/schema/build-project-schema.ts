import type { GraphQLSchema } from 'graphql';
import type { ContentModel } from '../../model/model.js';
import { buildSchema } from './build-schema.js';
import type { SchemaOptions } from './build-schema.js';
import type { SchemaExtension } from './switches.js';

/** The schema of a project: what its content model makes, with what its own code makes of that. */
export async function buildProjectSchema(model: ContentModel, options: Omit<SchemaOptions, 'switches' | 'keepsAll'>, extension: SchemaExtension | undefined): Promise<GraphQLSchema> {
  if (extension === undefined) return buildSchema(model, options);
  return extension.extend(buildSchema(model, { ...options, switches: extension.switches, keepsAll: extension.addsTypes }));
}
