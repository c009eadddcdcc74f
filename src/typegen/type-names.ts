import type { Component, ContentModel, ContentType, Uid } from '../model/model.js';
import { API_TYPE_NAMES } from './api-types.js';

/** What each type and component is called in the printed files. */
export interface TypeNames {
  readonly document: (uid: Uid) => string;
  readonly component: (uid: Uid) => string;
  readonly input: (uid: Uid) => string;
  /** The maps from API names to types: `Collections`, `SingleTypes`. */
  readonly collections: string;
  readonly singleTypes: string;
}

const known = (names: ReadonlyMap<Uid, string>, uid: Uid): string => {
  const name = names.get(uid);
  if (name === undefined) throw new TypeError(`The model has no ${uid}`);
  return name;
};

/** The model's own names, which are unique; what is derived from them steps aside: `ArticleInput2`. */
export function nameTypes(model: ContentModel): TypeNames {
  const holders: readonly (ContentType | Component)[] = [...model.types, ...model.components];
  const used = new Set<string>([...holders.map((holder) => holder.typeName), ...API_TYPE_NAMES]);
  const take = (wished: string): string => {
    let name = wished;
    for (let count = 2; used.has(name); count++) name = `${wished}${count}`;
    used.add(name);
    return name;
  };
  const outputs = new Map(holders.map((holder) => [holder.uid, holder.typeName]));
  const inputs = new Map(holders.map((holder) => [holder.uid, take(`${holder.typeName}Input`)]));
  return {
    document: (uid) => known(outputs, uid),
    component: (uid) => known(outputs, uid),
    input: (uid) => known(inputs, uid),
    collections: take('Collections'),
    singleTypes: take('SingleTypes'),
  };
}
