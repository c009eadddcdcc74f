import { describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import type { ProjectLiteral } from '../../support/models.js';
import { isGalleyError } from '../../../src/errors/galley-error.js';
import { applyMigrations } from '../../../src/migrations/apply/apply-migrations.js';
import { createContentHistory } from './content-history.js';
import type { ContentHistory } from './content-history.js';

const NOTE = { title: { type: 'string' } };
const schema = (rank: boolean, text: boolean): ProjectLiteral => ({
  types: {
    article: {
      attributes: { title: { type: 'string' }, ...(rank ? { rank: { type: 'integer' } } : {}) },
    },
    note: { attributes: { ...NOTE, ...(text ? { text: { type: 'string' } } : {}) } },
  },
});

const MAIN = schema(false, true);
/** The branch "ranks" adds an attribute, the branch "lean" drops one of another type. */
const RANKS = schema(true, true);
const LEAN = schema(false, false);
const MERGED = schema(true, false);

/** Runs a command of the story, and returns what it says: an error with its remedy, or what it applied. */
const tell = async (command: string, run: () => Promise<unknown>): Promise<string> => {
  try {
    return `$ ${command}\n${JSON.stringify(await run())}`;
  } catch (error) {
    if (!isGalleyError(error)) throw error;
    return `$ ${command}\n${error.code}: ${error.message}\n${error.hint ?? ''}`;
  }
};

const withoutTimes = (story: readonly string[]): string => story.join('\n').replaceAll(/\d{14}_/g, '');

const pick = (record: object, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));

/** The content without what the system adds to it. */
const contentOf = async (history: ContentHistory, project: ProjectLiteral): Promise<string> => {
  const api = await history.open(project);
  const records = [...(await api.list('article')), ...(await api.list('note'))];
  return JSON.stringify(records.map((record) => pick(record, ['title', 'text', 'rank'])));
};

describe.each(databases)('two branches on $name', (kind) => {
  it('are switched, merged, deployed and reverted, step by step', async () => {
    const laptop = await createContentHistory(kind);
    const story: string[] = [];
    const say = async (command: string, run: () => Promise<unknown>): Promise<void> => {
      story.push(await tell(command, run));
    };
    const migrate = (project: ProjectLiteral, label: string) => async () =>
      (await laptop.migrate(project, { label, acceptsDataLoss: true })).applied;

    await say('cms migrate', migrate(MAIN, 'main'));
    const production = await laptop.withEmptyDatabase();
    await applyMigrations(production);
    for (const each of [laptop, production])
      await (await each.open(MAIN)).create('note', { title: 'N', text: 'of N' });

    await say('git switch -c ranks; cms migrate --name ranks', migrate(RANKS, 'ranks'));
    const [ranks] = (await laptop.rows(
      `SELECT "name" FROM "cms_migrations" WHERE "name" LIKE '%_ranks'`,
    )) as readonly { name: string }[];
    await (await laptop.open(RANKS)).create('article', { title: 'B', rank: 2 });
    const mergeRanks = await laptop.hide(String(ranks?.name));

    await say('git switch main; git switch -c lean; cms migrate --name lean', migrate(LEAN, 'lean'));
    await say('cms migrate down', async () => (await laptop.down()).reverted);
    await say(
      'cms migrate down --accept-data-loss',
      async () => (await laptop.down({ acceptsDataLoss: true })).reverted,
    );
    await say('cms migrate --name lean', migrate(LEAN, 'lean'));

    await mergeRanks();
    await say('git merge ranks; cms migrate', migrate(MERGED, 'merge'));
    await say(
      'cms migrate deploy',
      async () => (await applyMigrations({ ...production, acceptsDataLoss: true })).applied.length,
    );
    story.push(`production: ${await contentOf(production, MERGED)}`);
    await (await production.open(MERGED)).create('note', { title: 'since' });
    await say(
      'cms migrate down --steps 2',
      async () => (await production.down({ steps: 2 })).reverted.length,
    );
    story.push(`production: ${await contentOf(production, MAIN)}`);

    expect(withoutTimes(story)).toBe(
      [
        '$ cms migrate',
        '["main"]',
        '$ git switch -c ranks; cms migrate --name ranks',
        '["ranks"]',
        '$ git switch main; git switch -c lean; cms migrate --name lean',
        'migration/unknown: The database has a migration that this checkout lacks: ranks.',
        'Switch back to the branch that has it, or revert the migrations applied since: cms migrate down',
        '$ cms migrate down',
        'migration/data-loss: Data would be lost: ' +
          'api::article.article rank: the attribute is removed (1 value, such as 2).',
        'Back up the database, then pass --accept-data-loss.',
        '$ cms migrate down --accept-data-loss',
        '["ranks"]',
        '$ cms migrate --name lean',
        '["lean"]',
        '$ git merge ranks; cms migrate',
        '["ranks"]',
        '$ cms migrate deploy',
        '2',
        'production: [{"title":"N"}]',
        '$ cms migrate down --steps 2',
        '2',
        'production: [{"title":"N","text":"of N"},{"title":"since","text":null}]',
      ].join('\n'),
    );
  });
});
