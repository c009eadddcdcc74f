import { createError } from '../../errors/catalogue.js';
import { InexactNumberError, parseExactJson } from '../../lib/json.js';
import { didYouMean, nearest } from '../../lib/nearest.js';
import { lastSegment, withoutLastSegment } from '../../lib/ids.js';
import { NO_DECISIONS } from '../../migrations/content/content-decisions.js';
import type { ContentDecisions } from '../../migrations/content/content-decisions.js';
import { completeTime } from '../../model/fields/date-value.js';
import type { Attribute, ContentModel, ContentSchema, ScalarAttribute } from '../../model/model.js';
import { resolveAttribute, resolveSchema } from '../../project/scaffold/resolve-name.js';
import type { DecisionFlagValues } from '../flags.js';

/** An attribute that a flag names: `article.price`, `api::article.article.price`, `shared.seo.title`. */
export interface AttributeTarget {
  readonly schema: ContentSchema;
  readonly attribute: Attribute;
  /** `api::article.article.price` */
  readonly key: string;
}

const attributesOf = ({ uid, attributes }: ContentSchema) => ({ uid, attributes: Object.values(attributes) });

/** Returns the component path for a path through a type: `shared.seo.title` for `article.seo.title`. */
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
      remedy: `Did you mean ${flag} ${suggestion}? It applies wherever the component is used.`,
    });
  }
  const candidates = model.types.flatMap(({ singularName, attributes }) =>
    Object.keys(attributes).map((attribute) => `${singularName}.${attribute}`),
  );
  const suggestion = nearest(name, candidates);
  throw createError('cli/invalid-usage', {
    reason: `${flag} ${name} is not an attribute.`,
    remedy: `Write it with its type: ${flag} ${suggestion ?? 'article.price'}`,
  });
};

/**
 * Finds the attribute that a flag names, in the model after the migration.
 *
 * @throws `cli/unknown-name`, `scaffold/ambiguous-name`, `cli/invalid-usage`
 */
function resolveTarget(model: ContentModel, flag: string, name: string): AttributeTarget {
  assertPathNamesSchema(model, flag, name);
  const schema = resolveSchema(model, withoutLastSegment(name));
  const attributeName = resolveAttribute(attributesOf(schema), lastSegment(name));
  const attribute = schema.attributes[attributeName];
  if (attribute === undefined) throw new TypeError(`${schema.uid} no longer has ${attributeName}`);
  return { schema, attribute, key: `${schema.uid}.${attributeName}` };
}

const invalidFlag = (flag: string, text: string, reason: string, remedy: string): Error =>
  createError('cli/invalid-usage', { reason: `${flag} ${text}: ${reason}.`, remedy });

const splitAtEquals = (flag: string, text: string, example: string): readonly [string, string] => {
  const index = text.indexOf('=');
  if (index <= 0) throw invalidFlag(flag, text, 'it has no =', `Write it as in: ${flag} ${example}`);
  return [text.slice(0, index), text.slice(index + 1)];
};

const parseJson = (text: string): unknown => {
  try {
    return parseExactJson(text);
  } catch (error) {
    if (error instanceof InexactNumberError)
      throw createError('cli/invalid-usage', { reason: `${error.message}.`, remedy: 'Write fewer digits.' });
    return text;
  }
};

/** Returns the value in the form of a request: as typed for types with text values, otherwise from JSON. */
const readScalar = ({ type }: ScalarAttribute, text: string): unknown => {
  if (type === 'time') return completeTime(text);
  return ['integer', 'float', 'decimal', 'boolean', 'json', 'blocks'].includes(type) ? parseJson(text) : text;
};

/**
 * Parses a value of `--set` or of the prompt.
 *
 * @throws `cli/invalid-usage` if the attribute does not accept it
 */
export function parseValue({ attribute, key }: AttributeTarget, text: string): unknown {
  const rejectValue = (reason: string): Error =>
    invalidFlag('--set', `${key}=${text}`, reason, 'Pass a value that the attribute accepts.');
  if (attribute.family === 'component') return parseJson(text);
  if (attribute.family !== 'scalar' || attribute.type === 'password')
    throw rejectValue(`attributes of the type ${attribute.type} cannot be set`);
  const value = readScalar(attribute, text);
  const result = attribute.field.parse(value, attribute.constraints, 'full');
  if (!result.ok) throw rejectValue(result.issues.map(({ message }) => message).join('; '));
  return value;
}

const MAP_PATTERN = /^((?:api|plugin)::[^:=]+|[^:=]+):(.+)$/s;

const enumValues = ({ attribute }: AttributeTarget): readonly string[] | null =>
  attribute.family === 'scalar' ? (attribute.constraints.enum ?? null) : null;

/** Splits `blue=azure`. Old values may contain an equals sign. */
const splitMapping = (text: string, values: readonly string[]): readonly [string, string] | null => {
  const known = values.find((value) => text.endsWith(`=${value}`));
  return known === undefined ? null : [text.slice(0, -known.length - 1), known];
};

const parseMapping = (model: ContentModel, text: string) => {
  const [, name, mapping] = MAP_PATTERN.exec(text) ?? [];
  if (name === undefined || mapping === undefined)
    throw invalidFlag('--map', text, 'it has no old value', 'Write it as in: --map article.color:blue=azure');
  const target = resolveTarget(model, '--map', name);
  const values = enumValues(target);
  if (values === null)
    throw invalidFlag('--map', text, 'it is not an enumeration', 'Use --convert with an expression.');
  const split = splitMapping(mapping, values);
  if (split === null) {
    const to = mapping.slice(mapping.lastIndexOf('=') + 1);
    throw createError('cli/unknown-name', {
      kind: 'value',
      name: `${to} in ${target.key}`,
      remedy: didYouMean(to, values, `It has ${values.join(', ')}.`),
    });
  }
  return { key: target.key, from: split[0], to: split[1] };
};

const parseMappings = (model: ContentModel, texts: readonly string[]): ContentDecisions['map'] => {
  const mappings = texts.map((text) => parseMapping(model, text));
  return Object.fromEntries(
    mappings.map(({ key }) => [
      key,
      Object.fromEntries(mappings.filter((mapping) => mapping.key === key).map(({ from, to }) => [from, to])),
    ]),
  );
};

const parseDefaultTarget = (model: ContentModel, name: string): string => {
  const { attribute, key } = resolveTarget(model, '--use-default', name);
  if (attribute.family !== 'scalar' || attribute.default === undefined)
    throw invalidFlag('--use-default', name, 'the attribute has no default', `Use --set ${name}=…`);
  return key;
};

/**
 * Parses the flags with decisions about stored values.
 *
 * @param model the model after the migration, whose names the flags use
 * @throws `cli/unknown-name` with the nearest name, `cli/invalid-usage`
 */
export function parseDecisions(
  model: ContentModel,
  flags: DecisionFlagValues,
  renames: ContentDecisions['renames'] = [],
): ContentDecisions {
  return {
    ...NO_DECISIONS,
    renames,
    convert: Object.fromEntries(
      (flags.convert ?? []).map((text) => {
        const [name, expression] = splitAtEquals('--convert', text, "article.price='value * 100'");
        return [resolveTarget(model, '--convert', name).key, expression];
      }),
    ),
    set: Object.fromEntries(
      (flags.set ?? []).map((text) => {
        const [name, value] = splitAtEquals('--set', text, 'article.source=unknown');
        const target = resolveTarget(model, '--set', name);
        return [target.key, parseValue(target, value)];
      }),
    ),
    map: parseMappings(model, flags.map ?? []),
    useDefaults: (flags['use-default'] ?? []).map((name) => parseDefaultTarget(model, name)),
  };
}
