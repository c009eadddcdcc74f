import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { isRecord } from '../../lib/records.js';
import type { ContentModel, ContentSchema } from '../../model/model.js';
import { componentItems } from '../files/version-data.js';
import type { Data } from '../files/version-data.js';
import { childrenOf } from '../store/parse-blocks.js';
import type { BlockNode } from '../store/parse-blocks.js';
import type { StoredVersion } from '../store/read-documents.js';

/** A link or an image in a text. */
export interface TextReference {
  readonly kind: 'link' | 'image';
  readonly url: string;
  /** The alternative text of an image. */
  readonly alt: string;
  /** The path of the text: `sections.0.body`. */
  readonly path: string;
  /** The line in Markdown. Null: the text consists of blocks. */
  readonly line: number | null;
}

type Found = Omit<TextReference, 'path'>;

/** Matches everything that Markdown can refer with. Parsing takes a hundred times longer. */
const MAY_REFER = /\]\s*[([:]|<(?:img|a)\s|<https?:/i;

/** Comments, and elements with their attributes. Quoted values may contain `>`. */
const HTML_ELEMENT = /<!--.*?(?:-->|$)|<(img|a)\s((?:[^>"']|"[^"]*"|'[^']*')*)>/gis;

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&quot;': '"',
  '&#39;': "'",
  '&lt;': '<',
  '&gt;': '>',
};

const htmlAttribute = (attributes: string, name: string): string => {
  const match = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(
    attributes,
  );
  const value = match?.[1] ?? match?.[2] ?? match?.[3] ?? '';
  return value.replaceAll(/&(?:amp|quot|#39|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity);
};

/** Returns the links and images of HTML that begins in a line. Comments contain none. */
const inHtml = (html: string, firstLine: number): readonly Found[] =>
  [...html.matchAll(HTML_ELEMENT)].flatMap(({ 1: element, 2: attributes = '', index }): readonly Found[] => {
    if (element === undefined) return [];
    const isImage = element.toLowerCase() === 'img';
    const found = {
      kind: isImage ? 'image' : 'link',
      url: htmlAttribute(attributes, isImage ? 'src' : 'href'),
      alt: htmlAttribute(attributes, 'alt'),
      line: firstLine + html.slice(0, index).split('\n').length - 1,
    } as const;
    return [found];
  });

const inNode = (node: Nodes, addresses: ReadonlyMap<string, string>): readonly Found[] => {
  const line = node.position?.start.line ?? 1;
  const inside = 'children' in node ? node.children.flatMap((child) => inNode(child, addresses)) : [];
  switch (node.type) {
    case 'link':
      return [{ kind: 'link', url: node.url, alt: '', line }, ...inside];
    case 'linkReference':
      return [{ kind: 'link', url: addresses.get(node.identifier) ?? '', alt: '', line }, ...inside];
    case 'image':
      return [{ kind: 'image', url: node.url, alt: node.alt ?? '', line }];
    case 'imageReference':
      return [{ kind: 'image', url: addresses.get(node.identifier) ?? '', alt: node.alt ?? '', line }];
    case 'html':
      return inHtml(node.value, line);
    default:
      return inside;
  }
};

const definitionsIn = (node: Nodes): readonly (readonly [string, string])[] => {
  if (node.type === 'definition') return [[node.identifier, node.url]];
  return 'children' in node ? node.children.flatMap(definitionsIn) : [];
};

/** Returns the links and images of Markdown, those of its HTML included. */
function referencesInMarkdown(markdown: string): readonly Found[] {
  if (!MAY_REFER.test(markdown)) return [];
  const tree = fromMarkdown(markdown);
  return inNode(tree, new Map(definitionsIn(tree)));
}

const inBlock = (node: BlockNode): readonly Found[] => {
  const inside = childrenOf(node).flatMap(inBlock);
  if (node['type'] === 'link')
    return [{ kind: 'link', url: String(node['url']), alt: '', line: null }, ...inside];
  const image = node['image'];
  if (node['type'] !== 'image' || !isRecord(image)) return inside;
  const alt = typeof image['alternativeText'] === 'string' ? image['alternativeText'] : '';
  return [{ kind: 'image', url: String(image['url']), alt, line: null }];
};

const referencesIn = (
  model: ContentModel,
  schema: ContentSchema,
  data: Data,
  prefix: string,
): readonly TextReference[] =>
  Object.values(schema.attributes).flatMap((attribute): readonly TextReference[] => {
    const value = data[attribute.name];
    const path = `${prefix}${attribute.name}`;
    if (value === null || value === undefined) return [];
    if (attribute.type === 'richtext' && typeof value === 'string')
      return referencesInMarkdown(value).map((found) => ({ ...found, path }));
    if (attribute.type === 'blocks' && Array.isArray(value))
      return value
        .filter(isRecord)
        .flatMap(inBlock)
        .map((found) => ({ ...found, path }));
    if (attribute.family !== 'component' && attribute.family !== 'dynamiczone') return [];
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    return items.flatMap((item, index) => {
      const at = Array.isArray(value) ? `${path}.${index}.` : `${path}.`;
      return componentItems(model, attribute, item).flatMap(([component, values]) =>
        referencesIn(model, component, values, at),
      );
    });
  });

/** Returns the links and images in the rich texts of a version, in its components too. */
export function referencesOf(
  model: ContentModel,
  type: ContentSchema,
  { data }: Pick<StoredVersion, 'data'>,
): readonly TextReference[] {
  return referencesIn(model, type, data, '');
}
