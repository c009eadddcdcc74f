import { FIELD_TYPES } from '../model/fields/registry.js';
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

const indexByUid = (model: ContentModel, types: ContentModel['types']): ContentModel => ({
  ...model,
  types,
  typesByUid: Object.fromEntries(types.map((type) => [type.uid, type])),
});

/**
 * Returns the model as commands see it: built-in fields such as `createdAt` can be read where they are
 * private.
 */
export const exposeFields: (model: ContentModel) => ContentModel = memoizeWeakly((model) =>
  model.types.every(({ privateFields }) => privateFields.length === 0)
    ? model
    : indexByUid(
        model,
        model.types.map((type) => ({ ...type, privateFields: [] })),
      ),
);

/**
 * Returns the model as code on the server sees it: private attributes and password hashes can be read and
 * compared. Clients get neither, since controllers leave them out.
 */
export const exposeModel: (model: ContentModel) => ContentModel = memoizeWeakly((model) => {
  const exposed = exposeFields(model);
  const components = exposed.components.map(exposeSchema);
  return {
    ...indexByUid(exposed, exposed.types.map(exposeSchema)),
    components,
    componentsByUid: Object.fromEntries(components.map((component) => [component.uid, component])),
  };
});
