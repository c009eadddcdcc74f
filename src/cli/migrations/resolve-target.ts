import { createError } from '../../errors/catalogue.js';
import { nearest } from '../../lib/nearest.js';
import { lastSegment, withoutLastSegment } from '../../lib/uid.js';
import type { Attribute, ContentModel, ContentSchema } from '../../model/model.js';
import { resolveAttribute, resolveSchema } from '../../project/scaffold/resolve-name.js';

/** An attribute that a flag names: `article.price`, `api::article.article.price`, `shared.seo.title`. */
export interface AttributeTarget {
  readonly schema: ContentSchema;
  readonly attribute: Attribute;
  /** `api::article.article.price` */
  readonly key: string;
}

const attributesOf = ({ uid, attributes }: ContentSchema) => ({ uid, attributes: Object.values(attributes) });

/** The component's own name of what a path into a type names: `shared.seo.title` for `article.seo.title`. */
const suggestComponentPath = (model: ContentModel, name: string): string | undefined => {
  const [type = '', ...path] = name.split('.');
  let schema: ContentSchema | undefined = model.types.find(({ singularName }) => singularName === type);
  for (const segment of path.slice(0, -1)) {
    const attribute: Attribute | undefined = schema?.attributes[segment];
    schema = attribute?.family === 'component' ? model.componentsByUid[attribute.component] : undefined;
  }
  return schema === undefined || path.length < 2 ? undefined : `${schema.uid}.${lastSegment(name)}`;
};

const assertPathNamesSchema = (model: ContentModel, flag: string, name: string): void => {
  if (name.includes('.') && withoutLastSegment(name) !== '') {
    const suggestion = suggestComponentPath(model, name);
    if (suggestion === undefined) return;
    throw createError('cli/unknown-name', {
      kind: 'attribute',
      name,
      remedy: `Did you mean ${flag} ${suggestion}? It counts wherever the component is used.`,
    });
  }
  const candidates = model.types.flatMap(({ singularName, attributes }) =>
    Object.keys(attributes).map((attribute) => `${singularName}.${attribute}`),
  );
  const suggestion = nearest(name, candidates);
  throw createError('cli/invalid-usage', {
    reason: `${flag} ${name} names no attribute.`,
    remedy: `Write it with its type: ${flag} ${suggestion ?? 'article.price'}`,
  });
};

/**
 * Finds the attribute that a flag names, in the model after the migration.
 *
 * @throws `cli/unknown-name`, `scaffold/ambiguous-name`, `cli/invalid-usage`
 */
export function resolveTarget(model: ContentModel, flag: string, name: string): AttributeTarget {
  assertPathNamesSchema(model, flag, name);
  const schema = resolveSchema(model, withoutLastSegment(name));
  const attributeName = resolveAttribute(attributesOf(schema), lastSegment(name));
  const attribute = schema.attributes[attributeName];
  if (attribute === undefined) throw new TypeError(`${schema.uid} has lost ${attributeName}`);
  return { schema, attribute, key: `${schema.uid}.${attributeName}` };
}
