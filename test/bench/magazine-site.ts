import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
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

export type PostDocument = (path: string, data: Readonly<Record<string, unknown>>) => Promise<string>;

interface PostResponse {
  readonly status: number | undefined;
  readonly text: string;
}

/**
 * Over one connection that stays open; `fetch` would cost the client more than the server spends on the
 * request.
 */
const postText = (
  agent: Agent,
  url: string,
  headers: Readonly<Record<string, string>>,
  text: string,
): Promise<PostResponse> =>
  new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { agent, method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(text) } },
      (response) => {
        let answer = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          answer += part;
        });
        response.on('end', () => resolve({ status: response.statusCode, text: answer }));
        response.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(text);
  });

/** Posts documents, one after the other, and returns their documentIds. */
export const createPostDocument = (base: string, token: string): PostDocument => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return async (path, data) => {
    const { status, text } = await postText(agent, base + path, headers, JSON.stringify({ data }));
    if (status !== 201) throw new Error(`${path}: ${status} ${text}`);
    const body = JSON.parse(text) as { readonly data: { readonly documentId: string } };
    return body.data.documentId;
  };
};

const repeat = async (
  count: number,
  create: (index: number) => Promise<string>,
): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push(await create(index));
  return ids;
};

const pick = (list: readonly string[], index: number): string | undefined => list[index % list.length];

export interface Related {
  readonly authors: readonly string[];
  readonly categories: readonly string[];
  readonly tags: readonly string[];
}

/** An article with an author, a category, three tags, a component and a dynamic zone. */
export const articleData = (
  index: number,
  { authors, categories, tags }: Related,
): Readonly<Record<string, unknown>> => ({
  title: `Article ${String(index).padStart(5, '0')}`,
  summary: `What article ${index} is about`,
  body: 'Lorem ipsum dolor sit amet. '.repeat(20),
  views: index,
  author: pick(authors, index),
  category: pick(categories, index),
  tags: [pick(tags, index), pick(tags, index + 1), pick(tags, index + 2)],
  seo: {
    metaTitle: `Article ${index}`,
    metaDescription: 'A description',
    social: [{ network: 'mastodon', handle: '@galley' }],
  },
  sections: [
    { __component: 'sections.quote', text: 'A quote' },
    { __component: 'sections.text', body: 'Some text' },
  ],
});

/** Fills the site with 1,000 published articles; returns what they relate to and one article's documentId. */
export async function seed(site: Site): Promise<Related & { readonly article: string }> {
  const server = await startGalley(site.folder);
  try {
    const post = createPostDocument(server.base, site.token);
    const related = {
      authors: await repeat(50, (index) =>
        post('/api/authors', { name: `Author ${index}`, email: `author${index}@example.com` }),
      ),
      categories: await repeat(10, (index) => post('/api/categories', { name: `Category ${index}` })),
      tags: await repeat(20, (index) => post('/api/tags', { name: `tag-${index}` })),
    };
    const articles = await repeat(ARTICLES, (index) => post('/api/articles', articleData(index, related)));
    return { ...related, article: articles[500] ?? '' };
  } finally {
    await server.stop();
  }
}
