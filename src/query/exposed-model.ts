import { FIELD_TYPES } from '../fields/registry.js';
import { memoizeWeakly } from '../lib/memoize.js';
import type { Attribute, ContentModel } from '../model/model.js';

const exposeAttribute = (attribute: Attribute): Attribute => {
  if (attribute.family !== 'scalar' || attribute.field.filterable) return { ...attribute, private: false };
  const { parseFilter } = FIELD_TYPES.text;
  return { ...attribute, private: false, field: { ...attribute.field, filterable: true, parseFilter } };
};

const exposeSchema = <Schema extends { readonly attributes: Readonly<Record<string, Attribute>> }>(
  schema: Schema,
): Schema => ({
  ...schema,
  attributes: Object.fromEntries(
    Object.entries(schema.attributes).map(([name, attribute]) => [name, exposeAttribute(attribute)]),
  ),
});

/**
 * Returns the model as code on the server sees it: private attributes and password hashes can be read and
 * compared. Clients get neither, since controllers leave them out.
 */
export const exposeModel: (model: ContentModel) => ContentModel = memoizeWeakly((model) => {
  const types = model.types.map(exposeSchema);
  const components = model.components.map(exposeSchema);
  return {
    ...model,
    types,
    components,
    typesByUid: Object.fromEntries(types.map((type) => [type.uid, type])),
    componentsByUid: Object.fromEntries(components.map((component) => [component.uid, component])),
  };
});
