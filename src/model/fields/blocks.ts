import { isRecord } from '../../lib/records.js';
import type { JsonSchema } from '../../lib/json.js';
import type { JsonValue } from '../../lib/stored-value.js';
import { accept, acceptUnless, createIssue, reject } from './field-type.js';
import type { FieldIssue, FieldType, ParseResult } from './field-type.js';
import { isJsonValue, parseJsonValue } from './json.js';

type Path = readonly string[];
type Node = Readonly<Record<string, unknown>>;
type NodeCheck = (node: Node, path: Path) => readonly FieldIssue[];

const MARKS = ['bold', 'italic', 'underline', 'strikethrough', 'code'];
const SCRIPT_PROTOCOLS = new Set(['javascript:', 'vbscript:', 'data:']);

/** Accepts absolute URLs, except those that run scripts, and paths within the site. */
const isLinkTarget = (url: string): boolean => {
  try {
    return !SCRIPT_PROTOCOLS.has(
      new URL(url, /^[/#?]/.test(url) ? 'https://site.invalid' : undefined).protocol,
    );
  } catch {
    return false;
  }
};

const checkText: NodeCheck = (node, path) => [
  ...(typeof node['text'] === 'string' ? [] : [createIssue('must be a string', [...path, 'text'])]),
  ...MARKS.filter((mark) => node[mark] !== undefined && typeof node[mark] !== 'boolean').map((mark) =>
    createIssue('must be true or false', [...path, mark]),
  ),
];

const checkUrl = (value: unknown, path: Path): readonly FieldIssue[] =>
  typeof value === 'string' && isLinkTarget(value)
    ? []
    : [createIssue('must be a URL that runs no script, or a path that starts with /, # or ?', path)];

/** Checks `children`: a list of nodes of the given kinds, with at least `minCount` items. */
const checkChildren = (
  node: Node,
  path: Path,
  kinds: Readonly<Record<string, NodeCheck>>,
  minCount: 0 | 1,
): readonly FieldIssue[] => {
  const children = node['children'];
  const childrenPath = [...path, 'children'];
  if (!Array.isArray(children)) return [createIssue('must be a list', childrenPath)];
  if (children.length < minCount) return [createIssue('must contain at least one node', childrenPath)];
  return checkNodes(children, childrenPath, kinds);
};

const checkNodes = (
  nodes: readonly unknown[],
  path: Path,
  kinds: Readonly<Record<string, NodeCheck>>,
): readonly FieldIssue[] =>
  nodes.flatMap((node, index) => {
    const nodePath = [...path, String(index)];
    if (!isRecord(node)) return [createIssue('must be an object', nodePath)];
    const type = node['type'];
    const check = typeof type === 'string' && Object.hasOwn(kinds, type) ? kinds[type] : undefined;
    return check === undefined
      ? [createIssue(`must have as type one of ${Object.keys(kinds).join(', ')}`, nodePath)]
      : check(node, nodePath);
  });

const TEXT = { text: checkText };
const INLINE = {
  ...TEXT,
  link: ((node, path) => [
    ...checkUrl(node['url'], [...path, 'url']),
    ...checkChildren(node, path, TEXT, 0),
  ]) satisfies NodeCheck,
};

const checkParagraph: NodeCheck = (node, path) => checkChildren(node, path, INLINE, 1);

const checkHeading: NodeCheck = (node, path) => [
  ...([1, 2, 3, 4, 5, 6].some((level) => level === node['level'])
    ? []
    : [createIssue('must be a number from 1 to 6', [...path, 'level'])]),
  ...checkChildren(node, path, INLINE, 1),
];

const checkCode: NodeCheck = (node, path) => {
  const language = node['language'] ?? null;
  const issues =
    language === null || typeof language === 'string'
      ? []
      : [createIssue('must be a string', [...path, 'language'])];
  return [...issues, ...checkChildren(node, path, TEXT, 1)];
};

const checkList: NodeCheck = (node, path) => [
  ...(node['format'] === 'ordered' || node['format'] === 'unordered'
    ? []
    : [createIssue('must be ordered or unordered', [...path, 'format'])]),
  ...checkChildren(node, path, LIST_CHILDREN, 1),
];

const checkImage: NodeCheck = (node, path) => {
  const image = node['image'];
  if (!isRecord(image)) return [createIssue('must be an object', [...path, 'image'])];
  return [...checkUrl(image['url'], [...path, 'image', 'url']), ...checkChildren(node, path, INLINE, 0)];
};

const LIST_CHILDREN: Readonly<Record<string, NodeCheck>> = {
  'list-item': (node, path) => checkChildren(node, path, INLINE, 0),
  list: checkList,
};

const BLOCKS: Readonly<Record<string, NodeCheck>> = {
  paragraph: checkParagraph,
  heading: checkHeading,
  quote: checkParagraph,
  code: checkCode,
  list: checkList,
  image: checkImage,
};

/** Returns all issues in a list of blocks. Paths are relative to the list. */
function findBlockIssues(blocks: readonly unknown[]): readonly FieldIssue[] {
  return checkNodes(blocks, [], BLOCKS);
}

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const listOf = (name: string): JsonSchema => ({ type: 'array', items: ref(name) });
const BOOLEAN_SCHEMA = { type: 'boolean' };
const TEXT_SCHEMA = { type: 'string' };

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

const MARK_SCHEMAS = {
  bold: BOOLEAN_SCHEMA,
  italic: BOOLEAN_SCHEMA,
  underline: BOOLEAN_SCHEMA,
  strikethrough: BOOLEAN_SCHEMA,
  code: BOOLEAN_SCHEMA,
};

/** JSON Schemas, by name, of the nodes that this file checks. */
const BLOCK_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
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
    image: {
      type: 'object',
      properties: { url: TEXT_SCHEMA },
      required: ['url'],
      additionalProperties: true,
    },
    children: listOf('InlineNode'),
  }),
  InlineNode: oneOf({ text: 'TextNode', link: 'LinkNode' }),
  TextNode: {
    type: 'object',
    properties: { type: { const: 'text' }, text: TEXT_SCHEMA, ...MARK_SCHEMAS },
    required: ['type', 'text'],
  },
  LinkNode: node('link', { url: TEXT_SCHEMA, children: listOf('TextNode') }),
};

const parse = (input: unknown): ParseResult<JsonValue> => {
  const parsed = Array.isArray(input) ? parseJsonValue(input) : reject('must be a list of blocks');
  return parsed.ok && Array.isArray(parsed.value)
    ? acceptUnless(findBlockIssues(parsed.value), parsed.value)
    : parsed;
};

const parseFilter = (input: unknown): ParseResult<JsonValue> =>
  isJsonValue(input) ? accept(input) : reject('must be a JSON value');

/** Rich text as a tree of paragraphs, headings, lists, quotes, code and images. */
export const blocksField: FieldType = {
  name: 'blocks',
  column: 'json',
  options: [],
  parse,
  parseFilter,
  filterable: true,
  sortable: false,
  indexable: false,
  typescript: () => ({ output: 'Blocks', input: 'Blocks' }),
  jsonSchema: () => {
    const blocks = { $ref: '#/components/schemas/Blocks' };
    return { output: blocks, input: blocks };
  },
  namedSchemas: BLOCK_SCHEMAS,
  graphql: { output: 'JSON', input: 'JSON', filter: 'JSONFilterInput' },
};
