import { componentOf, targetsOf } from '../../model/lookup.js';
import type { Attribute, ContentModel, ContentSchema } from '../../model/model.js';
import { isFileAttribute } from './populate-all.js';
import type { PopulateNode, Selection } from '../query.js';

const LINK: Selection = Object.freeze({ fields: [], populate: [], asInput: 'link' });

const nodeOf = (model: ContentModel, attribute: Attribute): readonly PopulateNode[] => {
  const { name } = attribute;
  const base = { attribute: name, key: name };
  const ofComponent = (uid: string): Selection => contentSelection(model, componentOf(model, uid));
  const ofEach = (uids: readonly string[], selectionOf: (uid: string) => Selection) =>
    Object.fromEntries(uids.map((uid) => [uid, selectionOf(uid)]));
  switch (attribute.family) {
    case 'scalar':
      return [];
    case 'component':
      return [{ ...base, kind: 'component', selection: ofComponent(attribute.component) }];
    case 'dynamiczone':
      return [{ ...base, kind: 'zone', on: ofEach(attribute.components, ofComponent) }];
    default:
      return attribute.target === null
        ? [{ ...base, kind: 'morph', on: ofEach(targetsOf(attribute), () => LINK) }]
        : [{ ...base, kind: 'link', selection: LINK, filter: null, sort: [], slice: null, count: false }];
  }
};

/** Returns what reads all that files hold of a type or component, as it can be written again. */
export function contentSelection(model: ContentModel, schema: ContentSchema): Selection {
  const attributes = Object.values(schema.attributes).filter(isFileAttribute);
  return {
    fields: attributes.filter(({ family }) => family === 'scalar').map(({ name }) => name),
    populate: attributes.flatMap((attribute) => nodeOf(model, attribute)),
    asInput: 'content',
  };
}
