import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { hasErrorCode } from '../../lib/caught-errors.js';
import { isRecord } from '../../lib/records.js';
import { rejectIssues } from './rejected-files.js';
import type { StoredContent } from './stored-content.js';

/** The file that makes a folder of content files the folder of a release. */
export const RELEASE_FILE = 'release.yaml';

/** A release as its folder describes it. It publishes the document of each file that is not listed. */
export interface ReleaseFolder {
  readonly name: string;
  /** The paths of the files whose documents it unpublishes. */
  readonly unpublish: readonly string[];
}

/** A release whose documents a pull writes. */
export interface PulledRelease {
  readonly name: string;
  /** Returns the action on a document in a locale. Null: it is not part of the release. */
  readonly actionOf: (content: StoredContent) => 'publish' | 'unpublish' | null;
}

/** Prints the file that describes a release. */
export function printReleaseFile({ name, unpublish }: ReleaseFolder): string {
  return stringify({ release: name, ...(unpublish.length === 0 ? {} : { unpublish }) }, { lineWidth: 0 });
}

const reject = (message: string): never => rejectIssues([{ file: RELEASE_FILE, line: 1, path: [], message }]);

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/**
 * Reads the release of a folder. Null: the folder has none.
 *
 * @throws `content/rejected-file`
 */
export async function readReleaseFile(root: string): Promise<ReleaseFolder | null> {
  const text = await readFile(join(root, RELEASE_FILE), 'utf8').catch((error: unknown) => {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  });
  if (text === null) return null;
  let content: unknown;
  try {
    content = parse(text);
  } catch {
    return reject('The file must be YAML.');
  }
  if (!isRecord(content) || typeof content['release'] !== 'string')
    return reject('The file must name a release: "release: spring".');
  const { release: name, unpublish = [], ...others } = content;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return reject(`The file has no key ${unknown}. It has release and unpublish.`);
  if (!isTexts(unpublish)) return reject('unpublish must be a list of files, such as article/old-news.md.');
  return { name, unpublish };
}
