import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { ContentType } from '../../../../src/model/model.js';
import { typeOf } from '../../../../src/model/lookup.js';
import { markPlan } from '../../../../src/transfer/files/conflict-files.js';
import type { FileConflict } from '../../../../src/transfer/files/conflict-files.js';
import type { ConflictChoice } from '../../../../src/transfer/files/merge-units.js';
import { planPull } from '../../../../src/transfer/files/plan-pull.js';
import type { Plan } from '../../../../src/transfer/files/plan.js';
import { printVersion } from '../../../../src/transfer/files/print-content.js';
import { contentKey, readStoredContent } from '../../../../src/transfer/files/stored-content.js';
import { normalizeData } from '../../../../src/transfer/files/version-data.js';
import { parseDocumentFile } from '../../../../src/transfer/store/document-text.js';
import type { ContentStore, ContentWrite } from '../../../../src/transfer/store/content-store.js';
import { databases } from '../../../support/databases.js';
import { createRandom } from '../../../support/random.js';
import { createTestEnvironment } from '../../../support/test-environment.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import {
  LOCALES,
  MAKER,
  POST,
  PROJECT,
  applyPush,
  createStore,
  planFolder,
  pullFolder,
  pullOptions,
  write,
} from './project.js';
import { initialData, randomEdits } from './random-edits.js';
import type { Data, Edit } from './random-edits.js';

const SEEDS = [1, 2, 3, 4];
const DOCUMENTS = 12;
const MAKERS = ['maker-a', 'maker-b', 'maker-c', 'maker-d', 'maker-e'];

/** A change of the status by one side. */
type StatusChange = 'publish' | 'unpublish' | 'none';

interface Side {
  readonly edits: readonly Edit[];
  readonly status: StatusChange;
}

/** Changes of both sides of one document in one locale. */
interface Pair {
  readonly documentId: string;
  readonly locale: string;
  readonly isPublished: boolean;
  readonly file: Side;
  readonly database: Side;
}

const applyEdits = (data: Data, edits: readonly Edit[]): Data => ({
  ...data,
  ...Object.fromEntries(edits.map(({ attribute, apply }) => [attribute, apply(data[attribute])])),
});

const randomPair = (seed: number, documentId: string, locale: string, isPublished: boolean): Pair => {
  const random = createRandom(seed);
  const side = (name: string): Side => {
    const token = `${name}-${seed}`;
    const edits = randomEdits(random, { token, makers: MAKERS, isMain: locale === 'en' });
    const change = isPublished ? 'unpublish' : 'publish';
    return { edits, status: random.next() < 0.2 ? change : 'none' };
  };
  return { documentId, locale, isPublished, file: side('file'), database: side('database') };
};

/** Edits the file of a pair, as a person would. */
const editFile = async (root: string, type: ContentType, { documentId, locale, file }: Pair) => {
  const path = join(root, `post/${documentId}.${locale}.md`);
  const parsed = parseDocumentFile(type, { file: path, text: await readFile(path, 'utf8') });
  const { $documentId, $locale, $status, ...data } = parsed.data;
  const statuses = { publish: 'published', unpublish: 'draft', none: $status };
  const head = { $documentId, $locale, $status: statuses[file.status] };
  await writeFile(path, printVersion(type, head, applyEdits(data, file.edits)));
};

const editDatabase = async (store: ContentStore, { documentId, locale, database }: Pair, current: Data) => {
  const { edits, status } = database;
  const data = Object.fromEntries(
    edits.map(({ attribute, apply }) => [attribute, apply(current[attribute])]),
  );
  const writes: ContentWrite[] = [];
  if (edits.length > 0) writes.push({ action: 'update', documentId, locale, data, status: 'draft' });
  if (status !== 'none') writes.push({ action: status, documentId, locale });
  if (writes.length > 0) await write(store, POST, writes);
};

/** A random merge: documents with edits on both sides, and a push. */
class RandomMerge {
  readonly pairs: readonly Pair[];
  conflicts: readonly FileConflict[] = [];

  constructor(
    readonly store: ContentStore,
    readonly root: string,
    readonly seed: number,
  ) {
    const random = createRandom(seed);
    this.pairs = Array.from({ length: DOCUMENTS }, (_, index) => index).flatMap((index) => {
      const isPublished = random.next() < 0.5;
      return LOCALES.map((locale, at) =>
        randomPair(seed * 1000 + index * 2 + at, `post-${seed}-${index}`, locale, isPublished),
      );
    });
  }

  get type(): ContentType {
    return typeOf(this.store.model, POST);
  }

  /** Creates the documents, pulls them, and edits both sides. */
  async prepare(): Promise<void> {
    const data = initialData(MAKERS);
    for (const { documentId, locale, isPublished } of this.pairs)
      await write(this.store, POST, [
        {
          action: locale === 'en' ? 'create' : 'update',
          documentId,
          locale,
          data,
          status: isPublished ? 'published' : 'draft',
        },
      ]);
    await pullFolder(this.store, this.root);
    const complete = normalizeData(this.store.model, this.type, data);
    for (const pair of this.pairs) {
      await editFile(this.root, this.type, pair);
      await editDatabase(this.store, pair, complete);
    }
  }

  plan(choice: ConflictChoice): Promise<Plan> {
    return planFolder(this.store, this.root, choice);
  }

  async push(choice: ConflictChoice): Promise<void> {
    const marked = await markPlan(this.store, await this.plan(null));
    this.conflicts = marked.flatMap(({ conflicts }) => conflicts);
    await applyPush(this.store, this.root, await this.plan(choice));
  }

  /** Pulls first, so that the push finds no conflicts. */
  async pullAndPush(choice: ConflictChoice): Promise<void> {
    const options = pullOptions(this.store, this.root, null);
    const { conflicts } = await planPull(this.store, options);
    await pullFolder(this.store, this.root, choice);
    await this.push(null);
    if (this.conflicts.length > 0) throw new Error('A push after a pull has conflicts.');
    this.conflicts = conflicts;
  }

  /** Returns the descriptions of edits that neither survive nor are reported, and the number of all. */
  async findLost(choice: 'file' | 'database') {
    const stored = await readStoredContent(this.store, this.type);
    const lost: string[] = [];
    let edits = 0;
    for (const pair of this.pairs) {
      const name = `${pair.documentId}.${pair.locale}`;
      const content = stored.get(contentKey(pair.documentId, pair.locale));
      const paths = this.conflicts
        .filter(({ file }) => file === `post/${name}.md` || file === `post/${name}.published.md`)
        .map(({ attribute }) => attribute);
      const isReported = (attribute: string): boolean =>
        paths.some((path) => path === attribute || path.startsWith(`${attribute}.`));
      for (const side of ['file', 'database'] as const) {
        const { status } = pair[side];
        edits += pair[side].edits.length + (status === 'none' ? 0 : 1);
        for (const edit of pair[side].edits)
          if (
            !edit.survives(content?.draft[edit.attribute]) &&
            !(isReported(edit.attribute) && side !== choice)
          )
            lost.push(`${name} ${side} ${edit.description}`);
        const isKept =
          status === 'none' ||
          (content?.published !== null) === (status === 'publish') ||
          (isReported('$status') && side !== choice);
        if (!isKept) lost.push(`${name} ${side} ${status}`);
      }
    }
    return { lost, edits };
  }
}

describe.each(databases)('random edits of files and of the database on $name', (database) => {
  let testEnvironment: TestEnvironment;
  let store: ContentStore;
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: PROJECT, database });
    store = createStore(testEnvironment);
    for (const documentId of MAKERS)
      await write(store, MAKER, [{ action: 'create', documentId, data: { name: documentId } }]);
  });
  afterAll(() => testEnvironment.close());

  it.each(SEEDS)('each survive or are a reported conflict (seed %i)', { timeout: 60_000 }, async (seed) => {
    const root = await mkdtemp(join(inject('runFolder'), 'merge-'));
    const merge = new RandomMerge(store, root, seed);
    const choice = seed % 2 === 0 ? 'file' : 'database';
    await merge.prepare();
    if (seed % 4 < 2) await merge.push(choice);
    else await merge.pullAndPush(choice);
    const { lost, edits } = await merge.findLost(choice);
    process.stdout.write(
      `${edits} edits of random pairs on ${database.name}: ${merge.conflicts.length} conflicts\n`,
    );
    expect(lost).toEqual([]);
    expect(edits).toBeGreaterThan(DOCUMENTS);
    // The files have the state of the database. A published locale may have changed values of others.
    expect((await merge.plan(null)).units.filter(({ writes }) => writes.length > 0)).toEqual([]);
    await pullFolder(store, root);
    expect(await pullFolder(store, root)).toEqual([]);
    await rm(root, { recursive: true });
    await write(
      store,
      POST,
      [...new Set(merge.pairs.map(({ documentId }) => documentId))].map((documentId) => ({
        action: 'delete',
        documentId,
        locale: '*',
      })),
    );
  });
});
