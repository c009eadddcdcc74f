import type { GraphQLSchema } from 'graphql';
import { isDisabled } from '../../../model/lookup.js';
import type { ContentModel, ContentSchema } from '../../../model/model.js';
import type { DocumentAction } from '../../../access/permissions/controllers.js';

/** Action of a type that can be switched off. An aggregate requires the permission of `find`. */
export type SchemaAction = DocumentAction | 'aggregate';

/** Selection of the parts of the content model that the schema contains. */
export interface SchemaSwitches {
  /** False: the type or component is left out, with everything that refers to it. */
  readonly hasType: (contentSchema: ContentSchema) => boolean;
  readonly hasAction: (contentSchema: ContentSchema, action: SchemaAction) => boolean;
  /** `attribute` is the name of an attribute or system field. */
  readonly hasOutput: (contentSchema: ContentSchema, attribute: string) => boolean;
  readonly hasInput: (contentSchema: ContentSchema, attribute: string) => boolean;
  readonly hasFilters: (contentSchema: ContentSchema, attribute: string) => boolean;
}

/** Changes by a project to its schema. */
export interface SchemaExtension {
  readonly switches: SchemaSwitches;
  /** True if the project adds anything, so that it may refer to types by name. */
  readonly addsTypes: boolean;
  /**
   * Returns the schema with everything that the project adds.
   *
   * @throws `graphql/invalid-extension`, which names the `use` and its key
   */
  readonly extend: (schema: GraphQLSchema) => Promise<GraphQLSchema>;
}

const always = (): boolean => true;

/** Everything is switched on. */
export const ALL_ENABLED: SchemaSwitches = Object.freeze({
  hasType: always,
  hasAction: always,
  hasOutput: always,
  hasInput: always,
  hasFilters: always,
});

/** Leaves out queries and mutations of the types of built-in plugins that are switched off. */
export function withoutDisabled(model: ContentModel, switches: SchemaSwitches): SchemaSwitches {
  if (model.disabledPlugins.length === 0) return switches;
  return {
    ...switches,
    hasAction: (schema, action) => !isDisabled(model, schema.uid) && switches.hasAction(schema, action),
  };
}

/** Returns the entries of a record of fields that are switched on. */
export function filterEnabled<Field>(
  fields: Readonly<Record<string, Field>>,
  isEnabled: (name: string) => boolean,
): Record<string, Field> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isEnabled(name)));
}
