import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readHistory, withSession } from '../../../src/migrations/apply/migration-history.js';
import { applyMigrations } from '../../../src/migrations/apply/apply-migrations.js';
import { databases } from '../../support/databases.js';
import type { ProjectLiteral } from '../../support/models.js';
import { createContentHistory } from '../../contract/migrations/content-history.js';
import { bundleScript } from '../support/bundle-script.js';
import type { ContentHistory } from '../../contract/migrations/content-history.js';

const BEFORE: ProjectLiteral = {
  types: {
    article: {
      attributes: {
        title: { type: 'string' },
        teaser: { type: 'string' },
        rank: { type: 'string' },
        seo: { type: 'component', component: 'shared.seo' },
      },
    },
    note: { attributes: { text: { type: 'string' } } },
  },
  components: { 'shared.seo': { attributes: { title: { type: 'string' }, robots: { type: 'string' } } } },
};
/** Drops a table, a column and values inside of components, and converts a column. */
const AFTER: ProjectLiteral = {
  types: {
    article: {
      attributes: {
        title: { type: 'string' },
        rank: { type: 'integer' },
        seo: { type: 'component', component: 'shared.seo' },
      },
    },
  },
  components: { 'shared.seo': { attributes: { title: { type: 'string' } } } },
};

/** A process is started for every statement. */
const TIMEOUT_MS = 240_000;

const SCRIPT = fileURLToPath(new URL('../support/apply-until.ts', import.meta.url));
const run = promisify(execFile);

const applyInChild = async (
  script: string,
  { url, folder, dialect }: ContentHistory,
  lastStatement: number,
): Promise<{ readonly statements: number | null; readonly signal: unknown }> => {
  const args = [script, dialect.name, url, folder, String(lastStatement)];
  try {
    const { stdout } = await run(process.execPath, args);
    return { statements: Number(stdout), signal: null };
  } catch (error) {
    const signal: unknown = error instanceof Error && 'signal' in error ? error.signal : undefined;
    if (signal !== 'SIGKILL') throw error;
    return { statements: null, signal };
  }
};

/** Tables, rows and records: all that a migration changes, without its times. */
const stateOf = async (history: ContentHistory): Promise<object> =>
  withSession({ ...history }, false, async (session) => {
    const columns = [...(await session.columns())]
      .map(([table, names]): [string, readonly string[]] => [table, [...names].toSorted()])
      .toSorted(([left], [right]) => left.localeCompare(right));
    const rows: Record<string, unknown> = {};
    for (const [table] of columns)
      if (/^(?:articles|notes|galley_kept)/.test(table))
        rows[table] = await session.query(`SELECT * FROM "${table}" ORDER BY 1`);
    const records = columns.some(([table]) => table === 'cms_migrations')
      ? await session.query('SELECT "name" FROM "cms_migrations" ORDER BY 1')
      : [];
    const location = await history.dialect.migrations.copyLocation(session, { creates: false });
    return { columns, rows, records, place: location('x'), history: await readHistory(session) };
  });

describe.each(databases)('a migration that is killed on $name', (kind) => {
  it('leaves the old state or the new one, after whichever statement', { timeout: TIMEOUT_MS }, async () => {
    const author = await createContentHistory(kind);
    await author.migrate(BEFORE, { label: 'before' });
    const history = await author.withEmptyDatabase();
    await applyMigrations(history);
    const api = await history.open(BEFORE);
    await api.create('article', { title: 'A', teaser: 'a', rank: '1', seo: { title: 's', robots: 'r' } });
    await api.create('article', { title: 'B', teaser: 'b', rank: 'second' });
    await api.create('note', { text: 'N' });
    await author.migrate(AFTER, { label: 'after', acceptsDataLoss: true });
    const before = await stateOf(history);

    const script = await bundleScript(SCRIPT);
    const states: object[] = [];
    let statement = 0;
    for (;;) {
      statement++;
      const { statements } = await applyInChild(script, history, statement);
      if (statements !== null) break;
      states.push(await stateOf(history));
      if (states.at(-1) !== undefined && JSON.stringify(states.at(-1)) !== JSON.stringify(before)) break;
    }
    expect((await applyInChild(script, history, 0)).statements).not.toBeNull();
    const after = await stateOf(history);

    expect(states.length).toBeGreaterThan(10);
    expect(states.slice(0, -1).filter((state) => JSON.stringify(state) !== JSON.stringify(before))).toEqual(
      [],
    );
    expect(states.at(-1)).toEqual(after);
    expect(after).not.toEqual(before);
    expect(await (await history.open(AFTER)).list('article', { populate: '*' })).toMatchObject([
      { title: 'A', rank: 1, seo: { title: 's' } },
      { title: 'B', rank: null },
    ]);
    await history.down();
    expect(await (await history.open(BEFORE)).list('article', { populate: '*' })).toMatchObject([
      { title: 'A', teaser: 'a', rank: '1', seo: { title: 's', robots: 'r' } },
      { title: 'B', teaser: 'b', rank: 'second' },
    ]);
  });
});
