import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Project } from '../../../src/project/open/open-project.js';
import { findScanningReads, suggestIndexes } from '../../../src/project/read-advice/suggest-indexes.js';
import { warnOfScans } from '../../../src/project/read-advice/record-usages.js';
import type { IndexExperiment } from '../../../src/database/dialect/database-driver.js';
import { startServer } from '../../../src/project/serve/start-server.js';
import type { RunningServer } from '../../../src/project/serve/start-server.js';
import { parseReadQuery } from '../../../src/query/parse/parse-read-query.js';
import type { ReadQuery } from '../../../src/query/query.js';
import type { RawReadParams } from '../../../src/query/read-context.js';
import { createLogger } from '../../../src/server/logger.js';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

const TAG = 'api::tag.tag';
const TAGS = 2000;

const INDEX_NAMES = {
  sqlite: `select name from sqlite_master where type = 'index' order by name`,
  postgresql: 'select indexname from pg_indexes where schemaname = current_schema() order by indexname',
} as const;

type SlowProject = readonly [Project, clock: () => number];

/** A project whose trials take so many milliseconds a statement, by whether its plan looks at all rows. */
const slowProject = (project: Project, scanMs: number, indexMs: number): SlowProject => {
  let ms = 0;
  const { driver } = project.dialect;
  const openExperiment = async (url: string): Promise<IndexExperiment> => {
    const trial = await driver.openExperiment(url);
    const values: IndexExperiment['values'] = async (sql, parameters) => {
      const { scans, filters } = await trial.explain(sql, parameters);
      ms += scans || filters ? scanMs : indexMs;
      return trial.values(sql, parameters);
    };
    return { ...trial, values };
  };
  return [{ ...project, dialect: { ...project.dialect, driver: { ...driver, openExperiment } } }, () => ms];
};

describe.each(databases)('the adviser on $name', (database) => {
  let site: Site;
  let project: Project;

  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database });
    ({ project } = site);
    const ids = Array.from({ length: TAGS }, (_, index) => `tag${index}`);
    await site.server.app.database.transact(async (tx) => {
      await tx.model('TagDocument').createMany({ data: ids.map((documentId) => ({ documentId })) });
      await tx.model('Tag').createMany({
        data: ids.map((documentId, index) => ({
          documentId,
          locale: '',
          status: 'published',
          createdAt: new Date(0),
          updatedAt: new Date(0),
          name: documentId,
          label: `label ${index}`,
          weight: index % 3,
        })),
      });
    });
  });
  afterAll(() => site.close());

  const indexNames = async (): Promise<readonly unknown[]> => {
    const trial = await project.dialect.driver.openExperiment(project.config.database.url);
    try {
      return await trial.values(INDEX_NAMES[database.name], []);
    } finally {
      await trial.close();
    }
  };

  /** Reads, and stops the server. */
  const readFrom = async (server: RunningServer, paths: readonly string[]): Promise<void> => {
    for (const path of paths) {
      const headers = { authorization: `Bearer ${site.tokens['full'] ?? ''}` };
      const response = path.startsWith('{')
        ? await fetch(`${server.url}/graphql`, {
            method: 'POST',
            headers: { ...headers, 'content-type': 'application/json' },
            body: JSON.stringify({ query: path }),
          })
        : await fetch(`${server.url}/api/${path}`, { headers });
      expect([path, response.status]).toEqual([path, 200]);
    }
    await server.close();
  };

  const LABEL = `tags?filters[label][$eq]=label%207&pagination[withCount]=false`;

  it('has nothing to say where nothing was read', async () => {
    expect(await suggestIndexes(project)).toEqual([]);
    expect(await findScanningReads(project)).toEqual([]);
  });

  it('counts reads by shape, over all servers', async () => {
    await readFrom(site.server, [
      LABEL,
      LABEL.replace('7', '8'),
      'tags/tag1',
      'tags?sort=createdAt&pagination[withCount]=false',
    ]);
    const another = await startServer(site.root, {
      overrides: { host: '127.0.0.1', port: 0 },
      logger: createLogger({ level: 'silent' }),
    });
    await readFrom(another, [
      LABEL.replace('7', '9'),
      'tags/aggregate?sum[weight]&filters[documentId]=tag1',
      '{ tags(sort: "createdAt") { name } }',
    ]);
    const advice = await suggestIndexes(project);
    expect(Object.fromEntries(advice.map(({ read, calls }) => [read, calls]))).toEqual({
      [`${TAG} filters[label][$eq]`]: 3,
      [`${TAG} filters[documentId][$eq]`]: 1,
      [`${TAG} sort=createdAt:asc`]: 2,
      [`${TAG} count filters[documentId][$eq]`]: 1,
    });
    expect(advice.every(({ ms, maxMs }) => ms > 0 && maxMs > 0 && maxMs <= ms)).toBe(true);
  });

  it('suggests the index that serves a read, as measured, and leaves the database as it is', async () => {
    const before = await indexNames();
    const advice = await suggestIndexes(...slowProject(project, 10, 6));
    const suggestions = advice.flatMap(({ suggestion }) => (suggestion === null ? [] : [suggestion]));
    expect(suggestions).toEqual([{ type: TAG, attribute: 'label', before: 10, after: 6 }]);
    expect(await indexNames()).toEqual(before);
    expect(await findScanningReads(project)).toEqual([
      { read: `${TAG} filters[label][$eq]`, calls: 3, remedies: [{ type: TAG, attribute: 'label' }] },
    ]);
  });

  it('does not suggest an index that saves less than it costs', async () => {
    const advice = await suggestIndexes(...slowProject(project, 10, 8));
    expect(advice.map(({ suggestion }) => suggestion)).toEqual([null, null, null, null]);
  });

  it('warns of a slow read that looks at many rows, once and of no other', async () => {
    const lines: string[] = [];
    const logger = createLogger({ level: 'debug', stream: { write: (line) => void lines.push(line) } });
    const warn = warnOfScans(project, logger);
    const query = (type: string, raw: RawReadParams): ReadQuery =>
      parseReadQuery(project.model, type, raw, {
        limits: project.config.api.rest,
        access: { canFind: () => true },
        defaultLocale: 'en',
      });
    for (const raw of [{ filters: { name: 'tag1' } }, { sort: 'updatedAt' }, {}])
      warn({ query: query(TAG, raw), isCount: false }, 12);
    warn({ query: query('api::article.article', { sort: 'title' }), isCount: false }, 12);
    for (const label of ['a', 'b'])
      warn({ query: query(TAG, { sort: 'label', filters: { label } }), isCount: false }, 12);
    await expect.poll(() => lines.length, { timeout: 10_000 }).toBe(1);
    warn(
      {
        query: query(TAG, { filters: { $or: [{ name: { $containsi: 'any' } }, { id: 7 }] } }),
        isCount: false,
      },
      9,
    );
    warn({ query: query(TAG, { _q: 'label 77', sort: 'updatedAt' }), isCount: false }, 9);
    await expect.poll(() => lines.length, { timeout: 10_000 }).toBe(2);
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({
      msg: expect.stringMatching(
        /sort=updatedAt:asc scanned .*: cms field search \S+ name and cms field search \S+ label$/,
      ),
    });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 40,
      msg:
        `${TAG} filters[label][$eq] sort=label:asc scanned more than 1000 rows in 12 ms. ` +
        `To add an index, run: cms field index ${TAG} label`,
    });
  });
});
