import { createError } from '../../errors/catalogue.js';
import type { Attribute, ContentModel, ContentSchema } from '../../model/model.js';
import { mapComponents } from '../files/version-data.js';
import type { Data } from '../files/version-data.js';
import { parseBlocks } from '../store/parse-blocks.js';
import { printBlocks } from '../store/print-blocks.js';

/** A text of a document that translators translate. */
export interface TranslatableText {
  /** The path of the value: `sections.0.body`. */
  readonly path: string;
  readonly text: string;
  /** True if the text is Markdown. */
  readonly isMarkdown: boolean;
}

/** Returns the text to store instead of a text. */
type Replace = (text: TranslatableText) => string;

const PLAIN_TYPES: ReadonlySet<string> = new Set(['string', 'text']);

/** Replaces blocks by way of their Markdown. Blocks that Markdown cannot express stay. */
const replaceBlocks = (value: unknown, path: string, replace: Replace): unknown => {
  const printed = printBlocks(value);
  if (printed === null || printed.markdown.trim() === '') return value;
  const text = replace({ path, text: printed.markdown, isMarkdown: true });
  if (text === printed.markdown) return value;
  const parsed = parseBlocks(text, printed.notes);
  if ('blocks' in parsed) return parsed.blocks;
  const reason = `line ${parsed.line} of the translation ${parsed.reason}`;
  throw createError('content/invalid-translation', { path, reason });
};

const replaceValue = (
  model: ContentModel,
  attribute: Attribute,
  { value, path, replace }: { readonly value: unknown; readonly path: string; readonly replace: Replace },
): unknown => {
  if (attribute.type === 'blocks') return replaceBlocks(value, path, replace);
  const isMarkdown = attribute.type === 'richtext';
  if (typeof value === 'string' && (isMarkdown || PLAIN_TYPES.has(attribute.type)))
    return value.trim() === '' ? value : replace({ path, text: value, isMarkdown });
  const items = Array.isArray(value) ? value : null;
  let index = -1;
  return mapComponents(model, attribute, value, (component, item) => {
    index = items === null ? index : items.indexOf(item, index + 1);
    return replaceTexts(model, component, item, replace, items === null ? `${path}.` : `${path}.${index}.`);
  });
};

/**
 * Returns data with other texts: strings, texts, rich texts and blocks, in components too. Blocks are passed
 * as Markdown.
 *
 * @param prefix the path before the names of the attributes, with a point at its end
 * @throws `content/invalid-translation` if blocks do not support a text
 */
export function replaceTexts(
  model: ContentModel,
  schema: ContentSchema,
  data: Data,
  replace: Replace,
  prefix = '',
): Data {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      const attribute = Object.hasOwn(schema.attributes, name) ? schema.attributes[name] : undefined;
      if (attribute === undefined) return [name, value];
      return [name, replaceValue(model, attribute, { value, path: `${prefix}${name}`, replace })];
    }),
  );
}

/** Returns the texts of data by their path. */
export function textsOf(
  model: ContentModel,
  schema: ContentSchema,
  data: Data,
): ReadonlyMap<string, TranslatableText> {
  const texts = new Map<string, TranslatableText>();
  replaceTexts(model, schema, data, (text) => {
    texts.set(text.path, text);
    return text.text;
  });
  return texts;
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
