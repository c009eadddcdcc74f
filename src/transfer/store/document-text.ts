import { LineCounter, isMap, isNode, isScalar, parseDocument, visit } from 'yaml';
import type { Document, Scalar } from 'yaml';
import { createError } from '../../errors/catalogue.js';
import type { GalleyError, ValidationIssue } from '../../errors/galley-error.js';
import { isExactNumber, parseExactJson } from '../../lib/json.js';
import { isRecord } from '../../lib/records.js';
import { completeTime } from '../../model/fields/date-value.js';
import type { Attribute, ContentType } from '../../model/model.js';
import { parseBlocks } from './parse-blocks.js';

export interface DocumentText {
  /** The name of the file, for messages. */
  readonly file: string;
  readonly text: string;
}

type Data = Readonly<Record<string, unknown>>;

/** Values by attribute, with their lines. */
export interface ParsedDocument {
  readonly data: Data;
  /** Returns the line of an attribute; 1 if it has none. */
  readonly lineOf: (attribute: string) => number;
}

/** Returns the error of an invalid line of a file. */
export function invalidFile(file: string, line: number, reason: string): GalleyError {
  const fileIssues = [{ file, line, path: [], message: `${reason}.` }];
  return createError(
    'content/invalid-file',
    { location: `${file}:${line}`, reason },
    { details: { fileIssues } },
  );
}

/** Matches decimal numbers. YAML also has other forms. */
const DECIMAL = /^[+-]?[\d.]+(?:e[+-]?\d+)?$/i;

/** Matches the parser's position in a message, which is relative to the parsed part of the file. */
const POSITION = / at line \d+, column \d+:?$/;

/** Returns the first number that would be rounded. */
const findInexact = (document: Document.Parsed): Scalar.Parsed | null => {
  let found: Scalar.Parsed | null = null;
  visit(document, {
    Scalar: (_key, node) => {
      const { source, value } = node;
      const isInexact =
        typeof value === 'number' && DECIMAL.test(source ?? '') && !isExactNumber(source ?? '');
      if (!isInexact) return undefined;
      found = node as Scalar.Parsed;
      return visit.BREAK;
    },
  });
  return found;
};

const parseYaml = (file: string, text: string, lineBefore: number): ParsedDocument => {
  const lines = new LineCounter();
  // JSON is YAML.
  const document = parseDocument(text, { lineCounter: lines, schema: 'core' });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line } = lines.linePos(error.pos[0]);
    const [message = ''] = error.message.split('\n');
    const reason = message.replace(POSITION, '');
    throw invalidFile(file, line + lineBefore, reason);
  }
  const inexact = findInexact(document);
  if (inexact !== null)
    throw invalidFile(
      file,
      lines.linePos(inexact.range[0]).line + lineBefore,
      `the number ${inexact.source} would be rounded to ${String(inexact.value)}; put it in quotes`,
    );
  const { contents } = document;
  if (contents === null) return { data: {}, lineOf: () => 1 };
  const value: unknown = isMap(contents) ? document.toJS() : undefined;
  if (!isRecord(value)) throw invalidFile(file, 1, 'it must contain the values by attribute');
  return {
    data: value,
    lineOf: (attribute) => {
      const pair = isMap(contents)
        ? contents.items.find(({ key }) => isScalar(key) && key.value === attribute)
        : undefined;
      const start = isScalar(pair?.key) ? pair.key.range?.[0] : undefined;
      return start === undefined ? 1 : lines.linePos(start).line + lineBefore;
    },
  };
};

/** The front matter key for properties of blocks that Markdown lacks. No attribute has such a name. */
export const BLOCKS_KEY = '$blocks';

/** Returns the attribute of the text below the front matter. Null: there is none, or several qualify. */
export function bodyAttribute({ attributes }: Pick<ContentType, 'attributes'>): Attribute | null {
  const ofType = (name: string): readonly Attribute[] =>
    Object.values(attributes).filter(({ type, private: isPrivate }) => type === name && !isPrivate);
  const texts = ofType('richtext');
  const bodies = texts.length === 0 ? ofType('blocks') : texts;
  return bodies.length === 1 ? (bodies[0] ?? null) : null;
}

const parseBody = (
  attribute: Attribute,
  { file, text, notes, line }: DocumentText & { readonly notes: unknown; readonly line: number },
): unknown => {
  if (attribute.type !== 'blocks') return text;
  const parsed = parseBlocks(text, isRecord(notes) ? notes : {});
  if ('blocks' in parsed) return parsed.blocks;
  throw invalidFile(file, line + parsed.line - 1, parsed.reason);
};

/**
 * Parses the values of a document from JSON, YAML, or Markdown with YAML front matter, whose text is the
 * type's one attribute of rich text or, where it has none, of blocks.
 *
 * @throws `content/invalid-file` with file and line
 */
export function parseDocumentFile(type: ContentType, { file, text }: DocumentText): ParsedDocument {
  const parts = splitFrontMatter(text);
  if (parts === null) {
    if (file.endsWith('.md') && text.startsWith('---'))
      throw invalidFile(file, 1, 'the front matter has no end');
    return parseYaml(file, text, 0);
  }
  const { yaml, lineBefore, body } = parts;
  const parsed = parseYaml(file, yaml, lineBefore);
  const { [BLOCKS_KEY]: notes, ...data } = parsed.data;
  if (body.trim() === '') return { ...parsed, data };
  const attribute = bodyAttribute(type);
  const line = yaml.split('\n').length + 2;
  if (attribute === null)
    throw invalidFile(
      file,
      line,
      `${type.singularName} has no single attribute of rich text for the text below the front matter`,
    );
  return {
    data: { ...data, [attribute.name]: parseBody(attribute, { file, text: body, notes, line }) },
    lineOf: (name) => (name === attribute.name ? line : parsed.lineOf(name)),
  };
}

/**
 * Returns the values of {@link parseDocumentFile} alone.
 *
 * @throws `content/invalid-file` with file and line
 */
export function parseDocumentText(type: ContentType, text: DocumentText): Data {
  return parseDocumentFile(type, text).data;
}

/** Begins a comment about an issue of the value below it. */
const MARK = '#!';

interface FrontMatter {
  readonly yaml: string;
  /** The number of lines before it. */
  readonly lineBefore: number;
  /** The text below, without the separating empty line and the last line break. */
  readonly body: string;
}

/** Splits Markdown with YAML front matter. Null: the text does not begin with one. */
function splitFrontMatter(text: string): FrontMatter | null {
  const match = /^---\r?\n(?<yaml>[\s\S]*?\r?\n)?---[ \t]*(?:\r?\n(?<body>[\s\S]*))?$/.exec(text);
  if (match === null) return null;
  const { yaml = '', body = '' } = match.groups ?? {};
  return { yaml, lineBefore: 1, body: body.replace(/^\r?\n/, '').replace(/\r?\n$/, '') };
}

/** Removes the lines that {@link markIssues} added. */
export function withoutMarks(text: string): string {
  return text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith(MARK))
    .join('\n');
}

/** Returns the line, from 0, of a value or the nearest enclosing value. */
const lineOfPath = (yaml: string, path: readonly string[]): number => {
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines });
  for (let length = path.length; length > 0; length--) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line - 1;
  }
  return 0;
};

/** Returns the line, from 1, of a value in the text of a document, or of the nearest enclosing value. */
export function lineOfValue(type: ContentType, text: string, path: readonly string[]): number {
  const parts = splitFrontMatter(text);
  if (parts === null) return lineOfPath(text, path) + 1;
  const line = lineOfPath(parts.yaml, path) + parts.lineBefore + 1;
  const isBody = path[0] === bodyAttribute(type)?.name && parts.body !== '';
  return isBody ? parts.yaml.split('\n').length + parts.lineBefore + 1 : line;
}

/** An issue of a value, or of a line, which counts from 1. */
type MarkedIssue = Pick<ValidationIssue, 'path' | 'message'> & { readonly line?: number };

const pathText = (path: readonly string[]): readonly string[] => (path.length === 0 ? [] : [path.join('.')]);

/**
 * Inserts issues of values above their lines, as comments. Issues of the Markdown below the front matter come
 * at the top, since Markdown has no such comments.
 */
export function markIssues(text: string, issues: readonly MarkedIssue[]): string {
  const clean = withoutMarks(text);
  const { yaml, lineBefore } = splitFrontMatter(clean) ?? { yaml: clean, lineBefore: 0 };
  const lines = clean.split('\n');
  const end = lineBefore + yaml.split('\n').length;
  const place = ({ path, message, line }: MarkedIssue): { readonly at: number; readonly text: string } => {
    if (line === undefined)
      return { at: lineOfPath(yaml, path) + lineBefore, text: [...pathText(path), message].join(': ') };
    const isMarkdown = line > end;
    return {
      at: isMarkdown ? lineBefore : line - 1,
      text: isMarkdown ? `line ${line}: ${message}` : message,
    };
  };
  const placed = issues.map(place).toSorted((left, right) => right.at - left.at);
  for (const mark of placed) lines.splice(mark.at, 0, `${MARK} ${mark.text.replaceAll('\n', ' ')}`);
  return lines.join('\n');
}

const NUMBERS: ReadonlySet<string> = new Set(['integer', 'float', 'decimal']);
const TEXTS: ReadonlySet<string> = new Set(['string', 'text', 'richtext', 'email', 'uid', 'password']);
const JSON_TYPES: ReadonlySet<string> = new Set(['json', 'blocks', 'component', 'dynamiczone']);

const isMany = (attribute: Attribute): boolean =>
  (attribute.family === 'relation' || attribute.family === 'media') && attribute.many;

/** True if the text form of an attribute's values is JSON. */
export function isWrittenAsJson({ type }: Attribute): boolean {
  return JSON_TYPES.has(type);
}

/**
 * Parses the text form of an attribute's value. Lists of links are separated by commas. An empty text is
 * null, except for attributes of text. Text that is not valid for the type is returned unchanged: validation
 * reports it.
 *
 * @throws SyntaxError if the text must be JSON and is not
 */
export function parseAttributeText(attribute: Attribute, text: string): unknown {
  if (TEXTS.has(attribute.type)) return text;
  if (isMany(attribute) && !text.startsWith('['))
    return text.split(',').flatMap((item) => (item.trim() === '' ? [] : [item.trim()]));
  if (text === '') return null;
  const isObject = attribute.family === 'relation' && /^[[{]/.test(text);
  if (isObject || isWrittenAsJson(attribute)) return parseExactJson(text);
  if (attribute.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if (NUMBERS.has(attribute.type) && isExactNumber(text.trim())) return Number(text);
  return attribute.type === 'time' ? completeTime(text) : text;
}
