import { isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import { createError } from '../errors/catalogue.js';
import { isRecord } from '../lib/is-record.js';
import type { ContentType } from '../model/model.js';
import { splitFrontMatter } from './front-matter.js';

export interface DocumentText {
  /** The name of the file, for messages. */
  readonly file: string;
  readonly text: string;
}

type Data = Readonly<Record<string, unknown>>;

/** Values by attribute, with their places. */
export interface ParsedDocument {
  readonly data: Data;
  /** The line of an attribute; 1 where it has none of its own. */
  readonly lineOf: (attribute: string) => number;
}

const parseYaml = (file: string, text: string, lineBefore: number): ParsedDocument => {
  const lines = new LineCounter();
  // JSON is YAML.
  const document = parseDocument(text, { lineCounter: lines, schema: 'core' });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line } = lines.linePos(error.pos[0]);
    const [reason = ''] = error.message.split('\n');
    throw createError('content/invalid-file', { location: `${file}:${line + lineBefore}`, reason });
  }
  const { contents } = document;
  if (contents === null) return { data: {}, lineOf: () => 1 };
  const value: unknown = isMap(contents) ? document.toJS() : undefined;
  if (!isRecord(value))
    throw createError('content/invalid-file', {
      location: file,
      reason: 'it must hold the values by attribute',
    });
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

/** Returns the attribute that the text below the front matter holds. Null: there is none, or several. */
export function bodyAttribute({ attributes }: Pick<ContentType, 'attributes'>): string | null {
  const bodies = Object.values(attributes).filter(({ type }) => type === 'richtext');
  return bodies.length === 1 ? (bodies[0]?.name ?? null) : null;
}

/**
 * Parses the values of a document from JSON, YAML, or Markdown with YAML front matter, whose text is the
 * type's one attribute of rich text.
 *
 * @throws `content/invalid-file` with file and line
 */
export function parseDocumentFile(type: ContentType, { file, text }: DocumentText): ParsedDocument {
  const parts = splitFrontMatter(text);
  if (parts === null) return parseYaml(file, text, 0);
  const { yaml, lineBefore, body } = parts;
  const parsed = parseYaml(file, yaml, lineBefore);
  if (body.trim() === '') return parsed;
  const attribute = bodyAttribute(type);
  if (attribute === null)
    throw createError('content/invalid-file', {
      location: file,
      reason: `${type.singularName} has no single attribute of rich text for the text below the front matter`,
    });
  const bodyLine = yaml.split('\n').length + 2;
  return {
    data: { ...parsed.data, [attribute]: body },
    lineOf: (name) => (name === attribute ? bodyLine : parsed.lineOf(name)),
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
