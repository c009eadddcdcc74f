import type { AttributeDefinition, ComponentDefinition, ContentTypeDefinition, Definitions } from '../content-types/definition.js';
import { byCodePoint } from '../lib/compare.js';
import type { Uid } from '../lib/uid.js';
import type { ModelProblems } from './model-problems.js';

export type HolderDefinition = ContentTypeDefinition | ComponentDefinition;

/** All definitions while references between them are resolved. */
export interface Resolution {
  /** Sorted by uid. */
  readonly types: readonly ContentTypeDefinition[];
  readonly components: readonly ComponentDefinition[];
  readonly type: (uid: Uid) => ContentTypeDefinition | undefined;
  readonly component: (uid: Uid) => ComponentDefinition | undefined;
  /** Whether the file is there but broken, which is reported already. */
  readonly isUnreadable: (uid: Uid) => boolean;
  readonly problems: ModelProblems;
}

export function createResolution(definitions: Definitions, problems: ModelProblems): Resolution {
  const byUid = (left: { readonly uid: Uid }, right: { readonly uid: Uid }): number => byCodePoint(left.uid, right.uid);
  const types = new Map(definitions.types.map((type) => [type.uid, type]));
  const components = new Map(definitions.components.map((component) => [component.uid, component]));
  return {
    types: [...types.values()].toSorted(byUid),
    components: [...components.values()].toSorted(byUid),
    type: (uid) => types.get(uid),
    component: (uid) => components.get(uid),
    isUnreadable: (uid) => definitions.unreadable.includes(uid),
    problems,
  };
}

export function isTypeDefinition(holder: HolderDefinition): holder is ContentTypeDefinition {
  return 'singularName' in holder;
}

export function attributeOf(holder: HolderDefinition, name: string): AttributeDefinition | undefined {
  return holder.attributes.find((attribute) => attribute.name === name);
}

/** An option that is a text, or undefined where it is not set. */
export function textOption({ options }: AttributeDefinition, option: string): string | undefined {
  const value = options[option];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function countOption({ options }: AttributeDefinition, option: string): number | null {
  const value = options[option];
  return typeof value === 'number' ? value : null;
}
