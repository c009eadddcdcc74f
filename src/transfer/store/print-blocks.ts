import type { BlockContent, ListItem, Paragraph, PhrasingContent, RootContent } from 'mdast';
import { gfmStrikethroughToMarkdown } from 'mdast-util-gfm-strikethrough';
import { toMarkdown } from 'mdast-util-to-markdown';
import { isRecord } from '../../lib/records.js';
import { MARKS, childrenOf, orderKeys, parseBlocks } from './parse-blocks.js';
import type { BlockNode, BlockNotes, Mark } from './parse-blocks.js';

/** The form of an empty paragraph, which Markdown lacks. */
const EMPTY_PARAGRAPH: RootContent = { type: 'html', value: '<br>' };

interface Run {
  readonly node: BlockNode;
  readonly marks: ReadonlySet<Mark>;
}

const nodeText = (node: BlockNode): string => (typeof node['text'] === 'string' ? node['text'] : '');

const printText = (text: string): readonly PhrasingContent[] =>
  text
    .split('\n')
    .flatMap((line, index): readonly PhrasingContent[] => [
      ...(index === 0 ? [] : [{ type: 'break' } as const]),
      ...(line === '' ? [] : [{ type: 'text', value: line } as const]),
    ]);

const wrap = (mark: Mark, runs: readonly Run[]): readonly PhrasingContent[] => {
  if (mark === 'code')
    return [{ type: 'inlineCode', value: runs.map(({ node }) => nodeText(node)).join('') }];
  const children = [...printRuns(runs)];
  if (mark === 'underline')
    return [{ type: 'html', value: '<u>' }, ...children, { type: 'html', value: '</u>' }];
  const types = { bold: 'strong', italic: 'emphasis', strikethrough: 'delete' } as const;
  return [{ type: types[mark], children }];
};

/** Prints texts so that a mark that neighbors share encloses all of them. */
const printRuns = (runs: readonly Run[]): readonly PhrasingContent[] => {
  const [first] = runs;
  if (first === undefined) return [];
  const spans = MARKS.filter((mark) => first.marks.has(mark)).map((mark) => {
    const end = runs.findIndex(({ marks }) => !marks.has(mark));
    return { mark, length: end === -1 ? runs.length : end };
  });
  // Code cannot contain other marks.
  const outer = spans.length > 1 ? spans.filter(({ mark }) => mark !== 'code') : spans;
  const longest = outer.toSorted((left, right) => right.length - left.length)[0];
  if (longest === undefined) return [...printNode(first.node), ...printRuns(runs.slice(1))];
  const inside = runs.slice(0, longest.length).map(({ node, marks }) => ({
    node,
    marks: new Set([...marks].filter((mark) => mark !== longest.mark)),
  }));
  return [...wrap(longest.mark, inside), ...printRuns(runs.slice(longest.length))];
};

const printNode = (node: BlockNode): readonly PhrasingContent[] => {
  if (node['type'] !== 'link') return printText(nodeText(node));
  return [{ type: 'link', url: String(node['url']), children: [...printInline(node)] }];
};

const printInline = (node: BlockNode): readonly PhrasingContent[] =>
  printRuns(
    childrenOf(node).map((child) => ({
      node: child,
      marks: new Set(MARKS.filter((mark) => child[mark] === true)),
    })),
  );

const printParagraph = (node: BlockNode): Paragraph => ({
  type: 'paragraph',
  children: [...printInline(node)],
});

/** Prints a list. Nested lists belong to the item before them. */
const printList = (node: BlockNode): BlockContent => {
  const items: ListItem[] = [];
  for (const child of childrenOf(node)) {
    const last = items.at(-1);
    if (child['type'] === 'list' && last !== undefined) last.children.push(printList(child));
    else if (child['type'] === 'list')
      items.push({ type: 'listItem', spread: false, children: [printList(child)] });
    else {
      const paragraph = printParagraph(child);
      items.push({
        type: 'listItem',
        spread: false,
        children: paragraph.children.length === 0 ? [] : [paragraph],
      });
    }
  }
  return { type: 'list', ordered: node['format'] === 'ordered', spread: false, children: items };
};

const printImage = (node: BlockNode): RootContent => {
  const image = isRecord(node['image']) ? node['image'] : {};
  const { url, alternativeText, caption } = image;
  return {
    type: 'paragraph',
    children: [
      {
        type: 'image',
        url: String(url),
        alt: typeof alternativeText === 'string' ? alternativeText : '',
        title: typeof caption === 'string' ? caption : null,
      },
    ],
  };
};

const printBlock = (node: BlockNode): RootContent => {
  switch (node['type']) {
    case 'heading': {
      const depth = ([1, 2, 3, 4, 5, 6] as const).find((level) => level === node['level']) ?? 1;
      return { type: 'heading', depth, children: [...printInline(node)] };
    }
    case 'quote':
      return { type: 'blockquote', children: [printParagraph(node)] };
    case 'code': {
      const { language } = node;
      const lang = typeof language === 'string' ? language : null;
      return { type: 'code', lang, value: childrenOf(node).map(nodeText).join('') };
    }
    case 'list':
      return printList(node);
    case 'image':
      return printImage(node);
    default: {
      const paragraph = printParagraph(node);
      return paragraph.children.length === 0 ? EMPTY_PARAGRAPH : paragraph;
    }
  }
};

/** Returns the properties of images that Markdown cannot express. */
const imageNotes = (blocks: readonly BlockNode[]): BlockNotes => {
  const images = blocks.flatMap((node): (readonly [string, BlockNode])[] => {
    if (node['type'] !== 'image' || !isRecord(node['image'])) return [];
    const { url, ...values } = node['image'];
    const isPrinted = ([name, text]: readonly [string, unknown]): boolean =>
      ['alternativeText', 'caption'].includes(name) && typeof text === 'string' && text !== '';
    const rest = Object.entries(values).filter((entry) => !isPrinted(entry));
    return typeof url === 'string' && rest.length > 0 ? [[url, Object.fromEntries(rest)]] : [];
  });
  return images.length === 0 ? {} : { images: Object.fromEntries(images) };
};

export interface PrintedBlocks {
  readonly markdown: string;
  /** Properties that Markdown cannot express, for front matter. */
  readonly notes: BlockNotes;
}

/** Returns the possible forms of blocks: as programs write them, and as Strapi's editor does. */
const formsOf = (json: string): readonly BlockNotes[] => {
  const emptyTexts = json.includes('"type":"link"') && json.includes('"text":""') ? { emptyTexts: true } : {};
  const indentLevels = json.includes('"indentLevel":') ? { indentLevels: true } : {};
  const edited = { ...emptyTexts, ...indentLevels };
  return Object.keys(edited).length === 0 ? [edited] : [edited, indentLevels];
};

/**
 * Prints blocks as Markdown. Null: Markdown cannot express them completely.
 *
 * @example
 *   printBlocks([{ type: 'heading', level: 1, children: [{ type: 'text', text: 'Hello' }] }]);
 *   // => { markdown: '# Hello', notes: {} }
 */
export function printBlocks(value: unknown): PrintedBlocks | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const expected = JSON.stringify(orderKeys(value));
  const blocks = value.filter(isRecord);
  const markdown = toMarkdown(
    { type: 'root', children: blocks.map(printBlock) },
    {
      bullet: '-',
      emphasis: '_',
      listItemIndent: 'one',
      resourceLink: true,
      rule: '-',
      extensions: [gfmStrikethroughToMarkdown()],
    },
  ).replace(/\n$/, '');
  const images = imageNotes(blocks);
  const form = formsOf(expected).find((notes) => {
    const parsed = parseBlocks(markdown, { ...notes, ...images });
    return 'blocks' in parsed && JSON.stringify(orderKeys(parsed.blocks)) === expected;
  });
  return form === undefined ? null : { markdown, notes: { ...form, ...images } };
}
