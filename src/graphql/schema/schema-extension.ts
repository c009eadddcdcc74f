import type { GraphQLSchema } from 'graphql';
import type { ContentModel } from '../../model/model.js';
import { buildSchema } from './build-schema.js';
import type { SchemaOptions } from './build-schema.js';
import type { SchemaSwitches } from './switches.js';

/** What a project makes of the schema. */
export interface SchemaExtension {
  readonly switches: SchemaSwitches;
  /** Whether anything is added, so that types may be referred to by name. */
  readonly addsTypes: boolean;
  /** The schema with everything that the project adds to it. Throws `graphql/broken-extension`, which names the `use` and its key. */
  readonly extend: (schema: GraphQLSchema) => Promise<GraphQLSchema>;
}

/** The schema of a project: what its content model makes, with what its own code makes of that. */
export async function buildProjectSchema(model: ContentModel, options: Pick<SchemaOptions, 'shadowCRUD' | 'isLocale'>, extension: SchemaExtension | undefined): Promise<GraphQLSchema> {
  if (extension === undefined) return buildSchema(model, options);
  return extension.extend(buildSchema(model, { ...options, switches: extension.switches, keepsAll: extension.addsTypes }));
}
