import js2xliff from 'xliff/js2xliff';
import xliff2js from 'xliff/xliff2js';
import { createError } from '../../errors/catalogue.js';
import { messageOf } from '../../lib/caught-errors.js';
import { isRecord } from '../../lib/records.js';
import type { Uid } from '../../model/model.js';

/** A text and its translation. */
export interface XliffUnit {
  /** The path of the value: `sections.0.body`. */
  readonly path: string;
  readonly source: string;
  /** Null: it is not translated. */
  readonly target: string | null;
  readonly note: string | null;
}

/** The texts of one document. */
export interface XliffDocument {
  readonly type: Uid;
  readonly documentId: string;
  readonly units: readonly XliffUnit[];
}

/** The translations of documents from one locale into another. */
export interface XliffFile {
  readonly source: string;
  readonly target: string;
  readonly documents: readonly XliffDocument[];
}

/** Matches characters that XML cannot contain. */
const NOT_IN_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/** True if a text can be a part of XML. */
export function isXmlText(text: string): boolean {
  return !NOT_IN_XML.test(text);
}

/** Encodes a documentId as a part of an id in XML, which has letters, digits, points and hyphens. */
const encodeId = (documentId: string): string =>
  encodeURIComponent(documentId)
    .replaceAll(/[_!~*'()]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '_');

const decodeId = (encoded: string): string => decodeURIComponent(encoded.replaceAll('_', '%'));

/** The package keeps `&amp;` as it is, although it stands for a part of the text. */
const escapeText = (text: string): string => text.replaceAll('&', '&amp;');

/** Translators may not split a text, which would be read in part. */
const UNIT_ATTRIBUTES = { 'xml:space': 'preserve', canResegment: 'no' };

/** Prints translations as XLIFF 2.0: a file for each document, a unit for each text. */
export async function printXliff({ source, target, documents }: XliffFile): Promise<string> {
  const resources = documents.map(({ type, documentId, units }) => {
    const entries = units.map((unit) => [
      unit.path,
      {
        source: escapeText(unit.source),
        ...(unit.target === null ? {} : { target: escapeText(unit.target) }),
        ...(unit.note === null ? {} : { note: escapeText(unit.note) }),
        additionalAttributes: UNIT_ATTRIBUTES,
      },
    ]);
    return [`${type}:${encodeId(documentId)}`, Object.fromEntries(entries)];
  });
  const translations = {
    sourceLanguage: source,
    targetLanguage: target,
    resources: Object.fromEntries(resources),
  };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${await js2xliff(translations, { indent: '  ' })}\n`;
}

const invalid = (file: string, reason: string): Error =>
  createError('content/invalid-xliff', { file, reason });

const parseUnit = (file: string, path: string, unit: unknown): XliffUnit => {
  const { source, target } = isRecord(unit) ? unit : {};
  if (typeof source !== 'string' || (target !== undefined && typeof target !== 'string'))
    throw invalid(file, `the unit ${path} must have a source and a target of plain text`);
  return { path, source, target: target === undefined || target.trim() === '' ? null : target, note: null };
};

const parseDocument = (file: string, id: string, units: unknown): XliffDocument => {
  const [, type, encoded = ''] = /^(.+):([^:]+)$/.exec(id) ?? [];
  if (type === undefined || !isRecord(units)) throw invalid(file, `the id ${id} names no document`);
  try {
    return {
      type,
      documentId: decodeId(encoded),
      units: Object.entries(units).map(([path, unit]) => parseUnit(file, path, unit)),
    };
  } catch (error) {
    if (error instanceof URIError) throw invalid(file, `the id ${id} names no document`);
    throw error;
  }
};

const ROOT = /<xliff[\s>/]/;

/** Matches the end of the root element. The package accepts a file that ends before it. */
const ROOT_END = /<\/xliff\s*>|<xliff\s[^>]*\/>/;

const countOf = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length;

const parseXml = async (text: string, file: string): Promise<unknown> => {
  if (!ROOT.test(text)) throw invalid(file, 'it has no element xliff');
  if (!ROOT_END.test(text)) throw invalid(file, 'it ends before the end of the element xliff');
  // The package returns the last segment of a unit.
  if (countOf(text, /<segment[\s>/]/g) > countOf(text, /<unit[\s>/]/g))
    throw invalid(file, 'a unit has several segments');
  try {
    return await xliff2js(text, {});
  } catch (error) {
    const [reason = ''] = messageOf(error).split('\n');
    throw invalid(file, error instanceof TypeError ? 'a unit has no source' : reason);
  }
};

/**
 * Parses XLIFF 2.0 as {@link printXliff} prints it, with translations.
 *
 * @param file the name of the file, for messages
 * @throws `content/invalid-xliff`
 */
export async function parseXliff(text: string, file: string): Promise<XliffFile> {
  const parsed = await parseXml(text, file);
  const { sourceLanguage, targetLanguage, resources } = isRecord(parsed) ? parsed : {};
  if (!isRecord(resources)) throw invalid(file, 'its version must be 2.0');
  if (typeof sourceLanguage !== 'string' || typeof targetLanguage !== 'string')
    throw invalid(file, 'the attributes srcLang and trgLang must name the locales');
  return {
    source: sourceLanguage,
    target: targetLanguage,
    documents: Object.entries(resources).map(([id, units]) => parseDocument(file, id, units)),
  };
}
