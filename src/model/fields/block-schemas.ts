import type { JsonSchema } from '../../lib/json-schema.js';

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const listOf = (name: string): JsonSchema => ({ type: 'array', items: ref(name) });
const BOOLEAN = { type: 'boolean' };
const TEXT = { type: 'string' };

/** Returns the schema of a node with a fixed `type`. Other properties that editors add are allowed. */
const node = (type: string, properties: JsonSchema, optional: readonly string[] = []): JsonSchema => ({
  type: 'object',
  properties: { type: { const: type }, ...properties },
  required: ['type', ...Object.keys(properties).filter((name) => !optional.includes(name))],
});

const oneOf = (names: Readonly<Record<string, string>>): JsonSchema => ({
  oneOf: Object.values(names).map(ref),
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(
      Object.entries(names).map(([type, name]) => [type, `#/components/schemas/${name}`]),
    ),
  },
});

const MARKS = { bold: BOOLEAN, italic: BOOLEAN, underline: BOOLEAN, strikethrough: BOOLEAN, code: BOOLEAN };

/** JSON Schemas, by name, of the nodes that `block-nodes.ts` checks. */
export const BLOCK_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Blocks: { ...listOf('Block'), description: 'Rich text.' },
  Block: oneOf({
    paragraph: 'ParagraphBlock',
    heading: 'HeadingBlock',
    quote: 'QuoteBlock',
    code: 'CodeBlock',
    list: 'ListBlock',
    image: 'ImageBlock',
  }),
  ParagraphBlock: node('paragraph', { children: listOf('InlineNode') }),
  HeadingBlock: node('heading', { level: { enum: [1, 2, 3, 4, 5, 6] }, children: listOf('InlineNode') }),
  QuoteBlock: node('quote', { children: listOf('InlineNode') }),
  CodeBlock: node('code', { language: { type: ['string', 'null'] }, children: listOf('TextNode') }, [
    'language',
  ]),
  ListBlock: node('list', {
    format: { type: 'string', enum: ['ordered', 'unordered'] },
    children: { type: 'array', items: oneOf({ 'list-item': 'ListItemNode', list: 'ListBlock' }) },
  }),
  ListItemNode: node('list-item', { children: listOf('InlineNode') }),
  ImageBlock: node('image', {
    image: { type: 'object', properties: { url: TEXT }, required: ['url'], additionalProperties: true },
    children: listOf('InlineNode'),
  }),
  InlineNode: oneOf({ text: 'TextNode', link: 'LinkNode' }),
  TextNode: {
    type: 'object',
    properties: { type: { const: 'text' }, text: TEXT, ...MARKS },
    required: ['type', 'text'],
  },
  LinkNode: node('link', { url: TEXT, children: listOf('TextNode') }),
};
