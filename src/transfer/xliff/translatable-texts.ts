import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import { componentOf } from '../../model/lookup.js';
import type { Attribute, ContentModel, ContentSchema, ContentType } from '../../model/model.js';
import { componentItems, mapComponents } from '../files/version-data.js';
import type { Data } from '../files/version-data.js';
import { parseBlocks } from '../store/parse-blocks.js';
import { printBlocks } from '../store/print-blocks.js';

/** A text of a document that translators translate. */
export interface TranslatableText {
  /** The path of the text: `sections.0.body`, or `body.2.children.0.text` inside blocks. */
  readonly path: string;
  /** The path of the value that contains the text: `sections.0.body`. */
  readonly valuePath: string;
  readonly text: string;
  /** True if the text is Markdown. */
  readonly isMarkdown: boolean;
  /** The structure of the blocks around the text. Null: the text is not inside of blocks. */
  readonly structure: string | null;
}

const TEXT_TYPES: ReadonlySet<string> = new Set(['string', 'text', 'richtext']);

/** The properties of blocks that contain text for readers. */
const BLOCK_TEXTS: ReadonlySet<string> = new Set(['text', 'alternativeText', 'caption']);

/** Replaces the texts of blocks one by one. */
const mapBlockTexts = (
  value: unknown,
  path: string,
  replace: (path: string, text: string) => string,
): unknown => {
  if (Array.isArray(value))
    return value.map((item: unknown, index) => mapBlockTexts(item, `${path}.${index}`, replace));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      typeof inner === 'string' && BLOCK_TEXTS.has(name)
        ? replace(`${path}.${name}`, inner)
        : mapBlockTexts(inner, `${path}.${name}`, replace),
    ]),
  );
};

/** Returns text that is equal for blocks whose nodes have the same types and texts at the same paths. */
const structureOf = (blocks: unknown): string =>
  JSON.stringify(
    mapBlockTexts(blocks, '', () => ''),
    ['type', 'children', 'image', ...BLOCK_TEXTS],
  );

const isBlank = (text: string): boolean => text.trim() === '';

/** Returns blocks as Markdown. Null: Markdown cannot express them. */
const markdownOf = (value: unknown, valuePath: string): TranslatableText | null => {
  const printed = printBlocks(value);
  return printed === null
    ? null
    : { path: valuePath, valuePath, text: printed.markdown, isMarkdown: true, structure: null };
};

/** Returns the texts inside of blocks. */
const blockTexts = (value: unknown, valuePath: string): readonly TranslatableText[] => {
  const texts: TranslatableText[] = [];
  const structure = structureOf(value);
  mapBlockTexts(value, valuePath, (path, text) => {
    texts.push({ path, valuePath, text, isMarkdown: false, structure });
    return text;
  });
  return texts;
};

/** Forms of blocks: Markdown or else their texts one by one, or both. */
type BlockForms = 'first' | 'both';

const textsOfValue = (
  model: ContentModel,
  attribute: Attribute,
  { value, path, forms }: { readonly value: unknown; readonly path: string; readonly forms: BlockForms },
): readonly TranslatableText[] => {
  if (attribute.type === 'blocks') {
    if (!Array.isArray(value)) return [];
    const markdown = markdownOf(value, path);
    const others = markdown === null || forms === 'both' ? blockTexts(value, path) : [];
    return markdown === null ? others : [markdown, ...others];
  }
  if (typeof value === 'string' && TEXT_TYPES.has(attribute.type)) {
    const isMarkdown = attribute.type === 'richtext';
    return [{ path, valuePath: path, text: value, isMarkdown, structure: null }];
  }
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.flatMap((item, index) =>
    componentItems(model, attribute, item).flatMap(([component, values]) => {
      const prefix = Array.isArray(value) ? `${path}.${index}.` : `${path}.`;
      return textsOfSchema(model, component, { values, prefix, forms });
    }),
  );
};

const textsOfSchema = (
  model: ContentModel,
  schema: ContentSchema,
  { values, prefix, forms }: { readonly values: Data; readonly prefix: string; readonly forms: BlockForms },
): readonly TranslatableText[] =>
  Object.entries(values).flatMap(([name, value]) => {
    const attribute = Object.hasOwn(schema.attributes, name) ? schema.attributes[name] : undefined;
    if (attribute === undefined) return [];
    return textsOfValue(model, attribute, { value, path: `${prefix}${name}`, forms });
  });

/**
 * Returns the texts of data by their path: strings, texts, rich texts and blocks, in components too. Blocks
 * are one text in Markdown, or each of their texts if Markdown cannot express them.
 *
 * @param forms `both` also returns each text of blocks that Markdown can express
 */
export function textsOf(
  model: ContentModel,
  schema: ContentSchema,
  values: Data,
  forms: BlockForms = 'first',
): ReadonlyMap<string, TranslatableText> {
  const texts = textsOfSchema(model, schema, { values, prefix: '', forms });
  return new Map(texts.filter(({ text }) => !isBlank(text)).map((text) => [text.path, text]));
}

/** A value with the value from which it is translated, whose components have the same shape. */
interface TranslatedValue {
  readonly value: unknown;
  readonly source: unknown;
}

const withBlockTexts = (
  path: string,
  { value, source }: TranslatedValue,
  texts: ReadonlyMap<string, string>,
): unknown => {
  const markdown = texts.get(path);
  if (markdown !== undefined) {
    const parsed = parseBlocks(markdown, printBlocks(source)?.notes ?? {});
    if ('blocks' in parsed) return parsed.blocks;
    const reason = `line ${parsed.line} of the translation ${parsed.reason}`;
    throw createError('content/invalid-translation', { path, reason });
  }
  if (![...texts.keys()].some((key) => key.startsWith(`${path}.`))) return value;
  const base = structureOf(value) === structureOf(source) ? value : source;
  return mapBlockTexts(base, path, (at, text) => texts.get(at) ?? text);
};

const withTextsOfValue = (
  model: ContentModel,
  attribute: Attribute,
  path: string,
  translated: TranslatedValue,
  texts: ReadonlyMap<string, string>,
): unknown => {
  const { value, source } = translated;
  if (attribute.type === 'blocks') return withBlockTexts(path, translated, texts);
  if (TEXT_TYPES.has(attribute.type)) return texts.get(path) ?? value;
  const items = Array.isArray(value) ? value : null;
  let index = -1;
  return mapComponents(model, attribute, value, (component, item) => {
    index = items === null ? index : items.indexOf(item, index + 1);
    const from: unknown = Array.isArray(source) ? source[index] : source;
    const prefix = items === null ? `${path}.` : `${path}.${index}.`;
    return withTexts(model, component, { values: item, source: isRecord(from) ? from : {} }, texts, prefix);
  });
};

/**
 * Returns values with other texts, by the paths of {@link textsOf}.
 *
 * @param data the values, and those of the source, whose components have the same shape
 * @param prefix the path before the names of the attributes, with a point at its end
 * @throws `content/invalid-translation` if blocks do not support a text
 */
export function withTexts(
  model: ContentModel,
  schema: ContentSchema,
  { values, source }: { readonly values: Data; readonly source: Data },
  texts: ReadonlyMap<string, string>,
  prefix = '',
): Data {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const attribute = Object.hasOwn(schema.attributes, name) ? schema.attributes[name] : undefined;
      if (attribute === undefined) return [name, value];
      const translated = { value, source: source[name] };
      return [name, withTextsOfValue(model, attribute, `${prefix}${name}`, translated, texts)];
    }),
  );
}

/** Returns text that is equal for values whose components have the same kinds in the same order. */
export function shapeOf(model: ContentModel, attribute: Attribute, value: unknown): string {
  const kinds: unknown[] = [];
  mapComponents(model, attribute, value, (component, item) => {
    const inner = Object.values(component.attributes).map((member) =>
      shapeOf(model, member, item[member.name]),
    );
    kinds.push([component.uid, inner]);
    return item;
  });
  return JSON.stringify(kinds);
}

/** Returns the reason why texts of an attribute are not exported. Null: they are, or it has none. */
const reasonOf = (attribute: Attribute): string | null => {
  if (attribute.family !== 'scalar') return null;
  if (attribute.type === 'json') return 'json';
  if (attribute.private && (TEXT_TYPES.has(attribute.type) || attribute.type === 'blocks')) return 'private';
  return attribute.type === 'uid' && attribute.constraints.generate !== true ? 'uid' : null;
};

/**
 * Returns the localized attributes that contain texts which {@link textsOf} omits: JSON, private texts, and
 * uids that no other attribute generates: `api::page.page.data (json)`.
 */
export function omittedAttributes(model: ContentModel, types: readonly ContentType[]): readonly string[] {
  const omitted = new Set<string>();
  const visit = ({ uid }: ContentSchema, attributes: readonly Attribute[]): void => {
    for (const attribute of attributes) {
      const reason = reasonOf(attribute);
      if (reason !== null) omitted.add(`${uid}.${attribute.name} (${reason})`);
      const inner = attribute.family === 'component' ? [attribute.component] : [];
      for (const name of attribute.family === 'dynamiczone' ? attribute.components : inner) {
        const component = componentOf(model, name);
        visit(component, Object.values(component.attributes));
      }
    }
  };
  for (const type of types)
    visit(
      type,
      Object.values(type.attributes).filter(({ localized }) => localized),
    );
  return [...omitted];
}
