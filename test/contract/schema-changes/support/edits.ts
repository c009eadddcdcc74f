import type { Attributes, TypeLiteral } from '../../../support/models.js';
import type { SiteSchema } from './site-schema.js';

/** A change of the schema files. */
export type Edit = (schema: SiteSchema) => SiteSchema;

type Options = Readonly<Record<string, unknown>>;

/** Runs edits one after another. */
export const edits =
  (...steps: readonly Edit[]): Edit =>
  (schema) =>
    steps.reduce((edited, step) => step(edited), schema);

const isComponent = (owner: string): boolean => owner.includes('.');

/** Changes the attributes of a type (`article`) or of a component (`parts.badge`). */
const editAttributes =
  (owner: string, edit: (attributes: Attributes) => Attributes): Edit =>
  (schema) => {
    const literal = isComponent(owner) ? schema.components[owner] : schema.types[owner];
    if (literal === undefined) throw new RangeError(`There is no ${owner}`);
    const edited = { ...literal, attributes: edit(literal.attributes) };
    return isComponent(owner)
      ? { ...schema, components: { ...schema.components, [owner]: edited } }
      : { ...schema, types: { ...schema.types, [owner]: edited } };
  };

const required = (attributes: Attributes, name: string): Options => {
  const attribute = attributes[name];
  if (attribute === undefined) throw new RangeError(`There is no attribute ${name}`);
  return attribute;
};

export const add = (owner: string, name: string, definition: Options): Edit =>
  editAttributes(owner, (attributes) => ({ ...attributes, [name]: definition }));

export const remove = (owner: string, ...names: readonly string[]): Edit =>
  editAttributes(owner, (attributes) => {
    for (const name of names) required(attributes, name);
    return Object.fromEntries(Object.entries(attributes).filter(([name]) => !names.includes(name)));
  });

/** Replaces the definition of an attribute, except whether it is localised. */
export const retype = (owner: string, name: string, definition: Options): Edit =>
  editAttributes(owner, (attributes) => {
    const { pluginOptions } = required(attributes, name);
    return {
      ...attributes,
      [name]: { ...definition, ...(pluginOptions === undefined ? {} : { pluginOptions }) },
    };
  });

/** Sets options of an attribute. */
export const option = (owner: string, name: string, options: Options): Edit =>
  editAttributes(owner, (attributes) => ({
    ...attributes,
    [name]: { ...required(attributes, name), ...options },
  }));

/** Renames attributes by hand, all at once, so that two may swap their names. */
export const rename = (owner: string, names: Readonly<Record<string, string>>): Edit =>
  editAttributes(owner, (attributes) =>
    Object.fromEntries(
      Object.entries(attributes).map(([name, attribute]) => [names[name] ?? name, attribute]),
    ),
  );

/** Changes a content-type apart from its attributes. */
export const editType =
  (name: string, edit: (type: TypeLiteral) => TypeLiteral): Edit =>
  (schema) => {
    const type = schema.types[name];
    if (type === undefined) throw new RangeError(`There is no type ${name}`);
    return { ...schema, types: { ...schema.types, [name]: edit(type) } };
  };

export const removeType =
  (name: string): Edit =>
  ({ types: { [name]: _removed, ...types }, ...schema }) => ({ ...schema, types });

export const addComponent =
  (uid: string, attributes: Attributes): Edit =>
  (schema) => ({ ...schema, components: { ...schema.components, [uid]: { attributes } } });

export const removeComponent =
  (uid: string): Edit =>
  ({ components: { [uid]: _removed, ...components }, ...schema }) => ({ ...schema, components });

/** Replaces a text wherever it is a whole value or key: the uid of a component or a type. */
const replaceText = (schema: SiteSchema, from: string, to: string): SiteSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll(JSON.stringify(from), JSON.stringify(to))) as SiteSchema;

/** Renames a component and all references to it. */
export const renameComponent =
  (from: string, to: string): Edit =>
  (schema) =>
    replaceText(schema, from, to);

/** Renames a content-type and all references to it. */
export const renameType =
  (from: string, to: string): Edit =>
  (schema) => {
    const { [from]: type, ...types } = replaceText(schema, `api::${from}.${from}`, `api::${to}.${to}`).types;
    if (type === undefined) throw new RangeError(`There is no type ${from}`);
    return {
      ...replaceText(schema, `api::${from}.${from}`, `api::${to}.${to}`),
      types: { ...types, [to]: type },
    };
  };
