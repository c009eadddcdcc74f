import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cms, startGalley } from './processes.js';

const MODEL = fileURLToPath(new URL('../fixtures/projects/magazine/src', import.meta.url));
const ARTICLES = 1000;

export interface Site {
  readonly folder: string;
  readonly token: string;
  readonly remove: () => void;
}

/** A project made by the command line with the magazine's content model and no documents. */
export function createSite(): Site {
  const work = mkdtempSync(join(tmpdir(), 'bench-'));
  cms(work, 'new', 'site', '--template', 'blank', '--yes', '--no-install', '--no-git');
  const folder = join(work, 'site');
  cpSync(MODEL, join(folder, 'src'), { recursive: true });
  cms(folder, 'migrate', '--name', 'model', '--yes');
  const token = cms(folder, 'token', 'create', '--name', 'bench', '--type', 'full-access');
  return { folder, token, remove: () => rmSync(work, { recursive: true, force: true }) };
}

export type Poster = (path: string, data: Readonly<Record<string, unknown>>) => Promise<string>;

/** Posts documents and returns their documentIds. */
export const posterFor = (base: string, token: string): Poster => async (path, data) => {
  const response = await fetch(base + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ data }),
  });
  if (response.status !== 201) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  const body = (await response.json()) as { readonly data: { readonly documentId: string } };
  return body.data.documentId;
};

const times = async (count: number, make: (index: number) => Promise<string>): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push(await make(index));
  return ids;
};

const pick = (list: readonly string[], index: number): string | undefined => list[index % list.length];

export interface Related {
  readonly authors: readonly string[];
  readonly categories: readonly string[];
  readonly tags: readonly string[];
}

/** An article with an author, a category, three tags, a component and a dynamic zone. */
export const articleData = (index: number, { authors, categories, tags }: Related): Readonly<Record<string, unknown>> => ({
  title: `Article ${String(index).padStart(5, '0')}`,
  summary: `What article ${index} is about`,
  body: 'Lorem ipsum dolor sit amet. '.repeat(20),
  views: index,
  author: pick(authors, index),
  category: pick(categories, index),
  tags: [pick(tags, index), pick(tags, index + 1), pick(tags, index + 2)],
  seo: { metaTitle: `Article ${index}`, metaDescription: 'A description', social: [{ network: 'mastodon', handle: '@galley' }] },
  sections: [{ __component: 'sections.quote', text: 'A quote' }, { __component: 'sections.text', body: 'Some text' }],
});

/** Fills the site with 1,000 published articles; returns what they relate to and one article's documentId. */
export async function seed(site: Site): Promise<Related & { readonly article: string }> {
  const server = await startGalley(site.folder);
  try {
    const post = posterFor(server.base, site.token);
    const related = {
      authors: await times(50, (index) => post('/api/authors', { name: `Author ${index}`, email: `author${index}@example.com` })),
      categories: await times(10, (index) => post('/api/categories', { name: `Category ${index}` })),
      tags: await times(20, (index) => post('/api/tags', { name: `tag-${index}` })),
    };
    const articles = await times(ARTICLES, (index) => post('/api/articles', articleData(index, related)));
    return { ...related, article: articles[500] ?? '' };
  } finally {
    await server.stop();
  }
}
