import { createNamePool } from '../../lib/name-pool.js';
import type { Component, ContentModel, ContentType, Uid } from '../../model/model.js';
import { SHARED_DECLARATIONS } from './shared-declarations.js';

/** The names of types and components in the printed files. */
export interface TypeNames {
  readonly document: (uid: Uid) => string;
  readonly component: (uid: Uid) => string;
  readonly input: (uid: Uid) => string;
  /** The maps from API names to types: `Collections`, `SingleTypes`. */
  readonly collections: string;
  readonly singleTypes: string;
  /** The map from uids to types: `ContentTypes`. */
  readonly contentTypes: string;
  /** The type parameter of a typed client: `ClientSchema`. */
  readonly clientSchema: string;
}

const requireName = (names: ReadonlyMap<Uid, string>, uid: Uid): string => {
  const name = names.get(uid);
  if (name === undefined) throw new TypeError(`The model has no ${uid}`);
  return name;
};

/** The type names of the model, which are unique, and names derived from them, such as `ArticleInput2`. */
export function nameTypes(model: ContentModel): TypeNames {
  const schemas: readonly (ContentType | Component)[] = [...model.types, ...model.components];
  const { allocate, reserve } = createNamePool();
  reserve([...schemas.map((schema) => schema.typeName), ...Object.values(SHARED_DECLARATIONS).flat()]);
  const outputs = new Map(schemas.map((schema) => [schema.uid, schema.typeName]));
  const inputs = new Map(schemas.map((schema) => [schema.uid, allocate(`${schema.typeName}Input`)]));
  return {
    document: (uid) => requireName(outputs, uid),
    component: (uid) => requireName(outputs, uid),
    input: (uid) => requireName(inputs, uid),
    collections: allocate('Collections'),
    singleTypes: allocate('SingleTypes'),
    contentTypes: allocate('ContentTypes'),
    clientSchema: allocate('ClientSchema'),
  };
}
