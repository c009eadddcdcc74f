import { describe, expect, it } from 'vitest';
import {
  pendingAccountOf,
  printPendingAccount,
  printPendingAccountComments,
} from '../../../src/cli/migrations/pending-account.js';
import { styleFor } from '../../../src/cli/terminal/style.js';
import type { MigrationFindings } from '../../../src/migrations/apply/survey-pending.js';
import type { ContentChange } from '../../../src/migrations/content/content-plan.js';

const change = (kind: ContentChange['kind']): ContentChange => ({
  kind,
  type: 'api::article.article',
  path: 'price',
  values: 2,
  samples: ['"much"'],
  reason: 'a reason',
  remedy: kind === 'misfit' ? '--map article.price:much=…' : null,
});

const accountOf = (rest: Partial<MigrationFindings>, accepted: readonly string[] = []) =>
  pendingAccountOf({
    findings: {
      migration: {
        name: '2_change',
        isDataLossAccepted: accepted.includes('loss'),
        areMisfitsAccepted: accepted.includes('misfits'),
      },
      before: null,
      losses: [],
      contentChanges: [],
      ...rest,
    },
    uncounted: ['3_later'],
  });

const ALL = [change('moved'), change('misfit'), change('dropped')];

describe('the account of pending migrations', () => {
  it('names the flags that the migration does not accept itself', () => {
    const needsOf = (...accepted: readonly string[]) => accountOf({ contentChanges: ALL }, accepted).needs;
    expect(needsOf()).toEqual(['--accept-data-loss', '--accept-misfits']);
    expect(needsOf('loss')).toEqual(['--accept-misfits']);
    expect(needsOf('misfits')).toEqual(['--accept-data-loss']);
    expect(needsOf('loss', 'misfits')).toEqual([]);
    expect(accountOf({ contentChanges: [change('moved')] }).needs).toEqual([]);
  });

  it('is printed with what it needs and what is counted later', () => {
    expect(printPendingAccount(accountOf({ contentChanges: ALL }), styleFor(false)).join('\n')).toBe(
      [
        '2_change on this database',
        'Moved:',
        '  api::article.article price: 2 values moved, such as "much" (a reason)',
        'This does not fit the new schema:',
        '  api::article.article price: a reason (2 values, such as "much")',
        '    --map article.price:much=…',
        'This loses data:',
        '  api::article.article price: a reason (2 values, such as "much")',
        'This needs: cms migrate deploy --accept-data-loss --accept-misfits',
        'Counted when it is their turn: 3_later',
      ].join('\n'),
    );
  });

  it('says that no flag is needed where the migration accepts all', () => {
    const account = accountOf({ contentChanges: ALL }, ['loss', 'misfits']);
    expect(printPendingAccount(account, styleFor(false))).toContain(
      'The migration itself accepts this: no flag is needed.',
    );
  });

  it('tells what no flag accepts, and losses of tables without a model', () => {
    const account = accountOf({
      losses: [
        { kind: 'unique', table: 'articles', columns: ['slug'], rows: 2 },
        { kind: 'column', table: 'articles', column: 'teaser', rows: 1 },
      ],
    });
    expect(account).toMatchObject({
      counted: '2_change',
      changes: [{ kind: 'dropped', type: 'table articles', path: 'teaser', values: 1 }],
      violations: ['articles.slug would be unique (2 rows share a value)'],
      needs: ['--accept-data-loss'],
    });
    const text = printPendingAccount(account, styleFor(false)).join('\n');
    expect(text).toContain(
      'The existing rows do not fit the new schema:\n' +
        '  articles.slug would be unique (2 rows share a value)\n' +
        'No flag accepts this: change those rows first, or relax the constraint.',
    );
    expect(printPendingAccountComments(account)).toBe(
      [
        '-- 2_change on this database:',
        '-- would lose: table articles teaser: the attribute is dropped (1 value)',
        '-- violates: articles.slug would be unique (2 rows share a value)',
        '-- No flag accepts this: change those rows first, or relax the constraint.',
        '-- Counted when it is their turn: 3_later',
        '',
      ].join('\n'),
    );
  });

  it('is empty where nothing is pending', () => {
    const account = pendingAccountOf({ findings: null, uncounted: [] });
    expect(account).toEqual({ counted: null, changes: [], violations: [], needs: [], uncounted: [] });
    expect(printPendingAccount(account, styleFor(false))).toEqual([]);
    expect(printPendingAccountComments(account)).toBe('');
  });
});
