import { isRecord } from '../lib/is-record.js';
import type { FieldFault } from './field-type.js';
import { fault } from './parsed.js';

type Path = readonly string[];
type Node = Readonly<Record<string, unknown>>;
type NodeCheck = (node: Node, path: Path) => readonly FieldFault[];

const MARKS = ['bold', 'italic', 'underline', 'strikethrough', 'code'];
const SCRIPT_PROTOCOLS = new Set(['javascript:', 'vbscript:', 'data:']);

/** Absolute addresses but those that run script, and addresses within the site. */
const isLinkTarget = (url: string): boolean => {
  try {
    return !SCRIPT_PROTOCOLS.has(new URL(url, /^[/#?]/.test(url) ? 'https://site.invalid' : undefined).protocol);
  } catch {
    return false;
  }
};

const checkText: NodeCheck = (node, path) => [
  ...(typeof node['text'] === 'string' ? [] : [fault('must be a string', [...path, 'text'])]),
  ...MARKS.filter((mark) => node[mark] !== undefined && typeof node[mark] !== 'boolean').map((mark) => fault('must be true or false', [...path, mark])),
];

const checkUrl = (value: unknown, path: Path): readonly FieldFault[] =>
  typeof value === 'string' && isLinkTarget(value) ? [] : [fault('must be the address of a page', path)];

/** Checks `children`: a list of nodes of the given kinds, at least `least` of them. */
const checkChildren = (node: Node, path: Path, kinds: Readonly<Record<string, NodeCheck>>, least: 0 | 1): readonly FieldFault[] => {
  const children = node['children'];
  const at = [...path, 'children'];
  if (!Array.isArray(children)) return [fault('must be a list', at)];
  if (children.length < least) return [fault('must hold at least one node', at)];
  return checkNodes(children, at, kinds);
};

const checkNodes = (nodes: readonly unknown[], path: Path, kinds: Readonly<Record<string, NodeCheck>>): readonly FieldFault[] =>
  nodes.flatMap((node, index) => {
    const at = [...path, String(index)];
    if (!isRecord(node)) return [fault('must be an object', at)];
    const type = node['type'];
    const check = typeof type === 'string' && Object.hasOwn(kinds, type) ? kinds[type] : undefined;
    return check === undefined ? [fault(`must have as type one of ${Object.keys(kinds).join(', ')}`, at)] : check(node, at);
  });

const TEXT = { text: checkText };
const INLINE = {
  ...TEXT,
  link: ((node, path) => [...checkUrl(node['url'], [...path, 'url']), ...checkChildren(node, path, TEXT, 0)]) satisfies NodeCheck,
};

const checkParagraph: NodeCheck = (node, path) => checkChildren(node, path, INLINE, 1);

const checkHeading: NodeCheck = (node, path) => [
  ...([1, 2, 3, 4, 5, 6].some((level) => level === node['level']) ? [] : [fault('must be a number from 1 to 6', [...path, 'level'])]),
  ...checkChildren(node, path, INLINE, 1),
];

const checkCode: NodeCheck = (node, path) => {
  const language = node['language'] ?? null;
  const faults = language === null || typeof language === 'string' ? [] : [fault('must be a string', [...path, 'language'])];
  return [...faults, ...checkChildren(node, path, TEXT, 1)];
};

const checkList: NodeCheck = (node, path) => [
  ...(node['format'] === 'ordered' || node['format'] === 'unordered' ? [] : [fault('must be ordered or unordered', [...path, 'format'])]),
  ...checkChildren(node, path, LIST_CHILDREN, 1),
];

const checkImage: NodeCheck = (node, path) => {
  const image = node['image'];
  if (!isRecord(image)) return [fault('must be an object', [...path, 'image'])];
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

/** Everything wrong in a list of blocks; paths lead from the list to the node or property at fault. */
export function blockFaults(blocks: readonly unknown[]): readonly FieldFault[] {
  return checkNodes(blocks, [], BLOCKS);
}
