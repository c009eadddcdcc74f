import type { BlockContent, DefinitionContent, List, Nodes, PhrasingContent, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough';
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough';
import { isRecord } from '../../lib/records.js';

/** A node of a value of type blocks. */
export type BlockNode = Readonly<Record<string, unknown>>;

/** The marks of a text, from the outermost to the innermost. */
export const MARKS = ['underline', 'bold', 'italic', 'strikethrough', 'code'] as const;
export type Mark = (typeof MARKS)[number];

/** Returns the child nodes. */
export function childrenOf(node: BlockNode): readonly BlockNode[] {
  const children = node['children'];
  return Array.isArray(children) ? children.filter(isRecord) : [];
}

function textNode(text: string, marks: Iterable<Mark> = []): BlockNode {
  const isMarked = new Set(marks);
  return {
    type: 'text',
    text,
    ...Object.fromEntries(MARKS.filter((mark) => isMarked.has(mark)).map((mark) => [mark, true])),
  };
}

const rankOf = (key: string): string => {
  if (key === 'type') return ' ';
  return key === 'children' ? '~' : key;
};

/** Orders the keys of all nodes, so that equal values are equal as text. */
export function orderKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(orderKeys);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).toSorted(([left], [right]) =>
    rankOf(left) < rankOf(right) ? -1 : 1,
  );
  return Object.fromEntries(entries.map(([key, child]) => [key, orderKeys(child)]));
}

/** Front matter notes about blocks that are written as Markdown. */
export interface BlockNotes {
  /** True if each link has a text before and after it, which may be empty, as Strapi's editor writes. */
  readonly emptyTexts?: boolean;
  /** True if nested lists have their depth, as Strapi's editor writes. */
  readonly indentLevels?: boolean;
  /** Properties of images besides URL, alternative text and caption, by URL. */
  readonly images?: Readonly<Record<string, unknown>>;
}

export type ParsedBlocks =
  | { readonly blocks: readonly BlockNode[] }
  /** Markdown that blocks do not support, with its line, counted from 1. */
  | { readonly line: number; readonly reason: string };

class UnknownContent extends Error {
  constructor(
    readonly node: Nodes,
    what: string,
  ) {
    super(`blocks cannot hold ${what}`);
  }
}

const NAMES: Readonly<Partial<Record<Nodes['type'], string>>> = {
  html: 'HTML',
  thematicBreak: 'a thematic break',
  definition: 'a definition; write the address into the link',
  linkReference: 'a link by reference; write the address into the link',
  imageReference: 'an image by reference; write its address',
  image: 'an image next to text; put it into a separate paragraph',
};

const unknownContent = (node: Nodes): UnknownContent =>
  new UnknownContent(node, NAMES[node.type] ?? node.type);

const refuse = (node: Nodes): never => {
  throw unknownContent(node);
};

const WRAPPED: Readonly<Partial<Record<Nodes['type'], Mark>>> = {
  strong: 'bold',
  emphasis: 'italic',
  delete: 'strikethrough',
};

const sameMarks = (left: BlockNode | undefined, right: BlockNode): boolean =>
  left?.['type'] === 'text' && MARKS.every((mark) => left[mark] === right[mark]);

/** Collects the texts and links of a paragraph. Merges neighbors with the same marks. */
class InlineNodes {
  readonly #nodes: BlockNode[] = [];
  #isUnderlined = false;

  constructor(readonly notes: BlockNotes) {}

  #addText(text: string, marks: ReadonlySet<Mark>): void {
    const node = textNode(text, this.#isUnderlined ? [...marks, 'underline'] : marks);
    const last = this.#nodes.at(-1);
    if (last === undefined || !sameMarks(last, node)) this.#nodes.push(node);
    else this.#nodes[this.#nodes.length - 1] = { ...node, text: `${String(last['text'])}${text}` };
  }

  #addLink(node: Extract<PhrasingContent, { type: 'link' }>): void {
    if (node.title) throw new UnknownContent(node, "a link's title");
    const inside = new InlineNodes({});
    inside.add(node.children);
    this.#nodes.push({ type: 'link', url: node.url, children: inside.finish(true) });
  }

  add(nodes: readonly PhrasingContent[], marks: ReadonlySet<Mark> = new Set()): void {
    for (const node of nodes) {
      const mark = WRAPPED[node.type];
      if (mark !== undefined && 'children' in node) this.add(node.children, new Set([...marks, mark]));
      // A line break in Markdown source is a space.
      else if (node.type === 'text') this.#addText(node.value.replace(/\n/g, ' '), marks);
      else if (node.type === 'break') this.#addText('\n', marks);
      else if (node.type === 'inlineCode') this.#addText(node.value, new Set([...marks, 'code']));
      else if (node.type === 'html' && /^<\/?u>$/.test(node.value)) this.#isUnderlined = node.value === '<u>';
      else if (node.type === 'link' && marks.size === 0) this.#addLink(node);
      else if (node.type === 'link') throw new UnknownContent(node, 'a link with marks; put them into it');
      else throw unknownContent(node);
    }
  }

  /** Returns the nodes, at least one. */
  finish(isInLink = false): readonly BlockNode[] {
    if (this.#nodes.length === 0) return isInLink ? [] : [textNode('')];
    if (this.notes.emptyTexts !== true) return this.#nodes;
    return this.#nodes.flatMap((node, index) => {
      if (node['type'] !== 'link') return [node];
      const before = this.#nodes[index - 1]?.['type'] === 'text' ? [] : [textNode('')];
      return [...before, node, ...(index === this.#nodes.length - 1 ? [textNode('')] : [])];
    });
  }
}

const parseInline = (nodes: readonly PhrasingContent[], notes: BlockNotes): readonly BlockNode[] => {
  const inline = new InlineNodes(notes);
  inline.add(nodes);
  return inline.finish();
};

/** Joins paragraphs, with empty lines between them. */
const joinParagraphs = (nodes: readonly (BlockContent | DefinitionContent)[]): readonly PhrasingContent[] =>
  nodes.flatMap((node, index): readonly PhrasingContent[] => {
    if (node.type !== 'paragraph') return refuse(node);
    return index === 0 ? node.children : [{ type: 'break' }, { type: 'break' }, ...node.children];
  });

const parseList = ({ ordered, children }: List, notes: BlockNotes, depth: number): BlockNode => ({
  type: 'list',
  format: ordered === true ? 'ordered' : 'unordered',
  ...(notes.indentLevels === true && depth > 0 ? { indentLevel: depth } : {}),
  children: children.flatMap((item) => {
    const end = item.children.findIndex(({ type }) => type === 'list');
    const [text, rest] =
      end === -1 ? [item.children, []] : [item.children.slice(0, end), item.children.slice(end)];
    const lists = rest.map((node) =>
      node.type === 'list' ? parseList(node, notes, depth + 1) : refuse(node),
    );
    if (text.length === 0 && lists.length > 0) return lists;
    return [{ type: 'list-item', children: parseInline(joinParagraphs(text), notes) }, ...lists];
  }),
});

const parseImage = (
  { url, alt, title }: Extract<PhrasingContent, { type: 'image' }>,
  { images = {} }: BlockNotes,
): BlockNode => {
  const rest = Object.hasOwn(images, url) ? images[url] : undefined;
  const image = {
    url,
    ...(alt ? { alternativeText: alt } : {}),
    ...(title ? { caption: title } : {}),
    ...(typeof rest === 'object' ? rest : {}),
  };
  return { type: 'image', image, children: [textNode('')] };
};

const parseBlock = (node: RootContent, notes: BlockNotes): BlockNode => {
  switch (node.type) {
    case 'paragraph': {
      const [only, ...others] = node.children;
      if (only?.type === 'image' && others.length === 0) return parseImage(only, notes);
      return { type: 'paragraph', children: parseInline(node.children, notes) };
    }
    case 'heading':
      return { type: 'heading', level: node.depth, children: parseInline(node.children, notes) };
    case 'blockquote':
      return { type: 'quote', children: parseInline(joinParagraphs(node.children), notes) };
    case 'code':
      if (node.meta) throw new UnknownContent(node, 'more than a language next to code');
      return {
        type: 'code',
        ...(node.lang ? { language: node.lang } : {}),
        children: [textNode(node.value)],
      };
    case 'list':
      return parseList(node, notes, 0);
    case 'html':
      return node.value === '<br>' ? { type: 'paragraph', children: [textNode('')] } : refuse(node);
    default:
      return refuse(node);
  }
};

/** Parses Markdown as blocks. */
export function parseBlocks(markdown: string, notes: BlockNotes): ParsedBlocks {
  const tree = fromMarkdown(markdown, {
    extensions: [gfmStrikethrough({ singleTilde: false })],
    mdastExtensions: [gfmStrikethroughFromMarkdown()],
  });
  try {
    return { blocks: tree.children.map((node) => parseBlock(node, notes)) };
  } catch (error) {
    if (!(error instanceof UnknownContent)) throw error;
    return { line: error.node.position?.start.line ?? 1, reason: error.message };
  }
}
