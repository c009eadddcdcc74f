import type { Attribute, ContentModel, LinkAttribute } from '../../../src/model/model.js';

export const attributeOf = (model: ContentModel, uid: string, name: string): Attribute => {
  const attribute = (model.typesByUid[uid] ?? model.componentsByUid[uid])?.attributes[name];
  if (attribute === undefined) throw new Error(`no attribute ${uid} ${name}`);
  return attribute;
};

export const linkAttribute = (model: ContentModel, uid: string, name: string): LinkAttribute => {
  const attribute = attributeOf(model, uid, name);
  if (!('link' in attribute)) throw new Error(`${uid} ${name} is no relation`);
  return attribute;
};

export const A = 'api::a.a';
export const B = 'api::b.b';

export const relation = (kind: string, target: string, rest: Readonly<Record<string, unknown>> = {}) => ({
  type: 'relation',
  relation: kind,
  target,
  ...rest,
});
