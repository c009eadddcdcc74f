import type { GraphQLSchema } from 'graphql';
import type { AttributeHolder } from '../../model/model.js';
import type { Action } from '../resolvers/granted.js';

/** What of the content model the schema shows. */
export interface SchemaSwitches {
  /** False: neither the type or component is there, nor anything that refers to it. */
  readonly hasHolder: (holder: AttributeHolder) => boolean;
  readonly hasAction: (holder: AttributeHolder, action: Action) => boolean;
  /** Of a field by the name of its attribute; system fields have theirs. */
  readonly hasOutput: (holder: AttributeHolder, attribute: string) => boolean;
  readonly hasInput: (holder: AttributeHolder, attribute: string) => boolean;
  readonly hasFilters: (holder: AttributeHolder, attribute: string) => boolean;
}

/** What a project makes of the schema. */
export interface SchemaExtension {
  readonly switches: SchemaSwitches;
  /** Whether anything is added, so that types may be referred to by name. */
  readonly addsTypes: boolean;
  /** The schema with everything that the project adds to it. Throws `graphql/broken-extension`, which names the `use` and its key. */
  readonly extend: (schema: GraphQLSchema) => Promise<GraphQLSchema>;
}

const always = (): boolean => true;

/** Shows everything. */
export const ALL_ON: SchemaSwitches = Object.freeze({ hasHolder: always, hasAction: always, hasOutput: always, hasInput: always, hasFilters: always });

/** The entries of a record of fields whose attribute is switched on. */
export function switchedOn<Field>(fields: Readonly<Record<string, Field>>, isOn: (name: string) => boolean): Record<string, Field> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isOn(name)));
}
