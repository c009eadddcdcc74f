import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { rooms, rowOf } from '../support/architecture/rooms.js';

const MAX_WORDS = 1500;
const MAX_CELL = 300;

/** Files of projects, which this repository does not have. */
const PROJECT_FILES: ReadonlySet<string> = new Set(['cms.config.ts', 'migrate.ts']);

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = 'docs/architecture';
const overview = 'ARCHITECTURE.md';
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const roomPages = readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
const pages = [overview, 'CONTRIBUTING.md', ...roomPages].map((path) => ({ path, text: read(path) }));

const sourceNames: ReadonlySet<string> = new Set(
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).map((path) => basename(path)),
);

const withoutBlocks = (text: string): string => text.replaceAll(/^```[^]*?^```/gm, '');

const cellsOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => line.split('|').map((cell) => cell.trim()));

/** The first folders of paths that are checked: those of src/, and others of the repository. */
const FIRST_FOLDERS: ReadonlySet<string> = new Set([...rooms(), 'src', 'test', 'docs', 'bin', 'templates']);

/** True if the path exists in the repository or in src/. A name alone is that of any source file. */
const exists = (path: string): boolean =>
  path.includes('/')
    ? existsSync(join(root, path)) || existsSync(join(root, 'src', path))
    : sourceNames.has(path) || PROJECT_FILES.has(path);

/** Returns the paths of a page that are spelled as code: `src/lib/`, `model/build-model.ts`, `paths.ts`. */
const pathsOf = (text: string): readonly string[] =>
  [...withoutBlocks(text).matchAll(/`([\w@.-]+(?:\/[\w@.-]*)*)`/g)]
    .map(([, path = '']) => path)
    .filter((path) =>
      path.includes('/') ? FIRST_FOLDERS.has(path.split('/')[0] ?? '') : path.endsWith('.ts'),
    );

const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');

const anchorsOf = (text: string): readonly string[] =>
  [...withoutBlocks(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

const isLinkBroken = (from: string, link: string): boolean => {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? from : join(dirname(from), path);
  if (!existsSync(join(root, target))) return true;
  return anchor !== undefined && !anchorsOf(read(target)).includes(anchor);
};

describe.each(pages)('$path', ({ path, text }) => {
  it(`has fewer than ${MAX_WORDS} words`, () => {
    expect(text.match(/\S*\w\S*/g)?.length).toBeLessThan(MAX_WORDS);
  });

  it(`has no table cell over ${MAX_CELL} characters`, () => {
    expect(cellsOf(text).filter((cell) => cell.length > MAX_CELL)).toEqual([]);
  });

  it('names only paths that exist', () => {
    expect(pathsOf(text).filter((name) => !exists(name))).toEqual([]);
  });

  it('has no broken links', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => isLinkBroken(path, link))).toEqual([]);
  });
});

describe('the table of rooms', () => {
  const rows = [...read(overview).matchAll(/^\| (\d+) \| \[`([\w-]+)`\]\(([^)]+)\)/gm)];

  it('lists each room in its row', () => {
    const listed = rows.map(([, row = '', room = '']) => `${row} ${room}`);
    expect(listed.toSorted()).toEqual(
      rooms()
        .map((room) => `${rowOf(room)} ${room}`)
        .toSorted(),
    );
  });

  it('links every page', () => {
    const linked = read(overview).matchAll(/\]\((docs\/architecture\/[\w-]+\.md)/g);
    expect(new Set([...linked].map(([, page]) => page))).toEqual(new Set(roomPages));
  });
});
