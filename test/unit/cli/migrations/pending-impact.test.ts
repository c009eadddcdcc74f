import { describe, expect, it } from 'vitest';
import {
  printPendingComments,
  printPendingImpact,
  reportPendingImpact,
} from '../../../../src/cli/migrations/print-impact.js';
import { styleFor } from '../../../../src/cli/terminal/terminal.js';
import type { DataImpact } from '../../../../src/migrations/impact/data-impact.js';

const change = (kind: DataImpact['kind']): DataImpact => ({
  kind,
  type: 'api::article.article',
  path: 'price',
  values: 2,
  samples: ['"much"'],
  reason: 'a reason',
  remedy: kind === 'invalid' ? '--map article.price:much=…' : null,
});

const reportOf = (impact: readonly DataImpact[], accepted: readonly string[] = []) =>
  reportPendingImpact({
    counted: {
      migration: {
        name: '2_change',
        isDataLossAccepted: accepted.includes('loss'),
        isInvalidAccepted: accepted.includes('invalid'),
      },
      impact,
    },
    uncounted: ['3_later'],
  });

const ALL = [change('moved'), change('invalid'), change('dropped')];

describe('the impact of pending migrations', () => {
  it('names the flags that the migration does not accept itself', () => {
    const needsOf = (...accepted: readonly string[]) => reportOf(ALL, accepted).needs;
    expect(needsOf()).toEqual(['--accept-data-loss', '--accept-invalid']);
    expect(needsOf('loss')).toEqual(['--accept-invalid']);
    expect(needsOf('invalid')).toEqual(['--accept-data-loss']);
    expect(needsOf('loss', 'invalid')).toEqual([]);
    expect(reportOf([change('moved')]).needs).toEqual([]);
  });

  it('is printed with what it needs and what is counted later', () => {
    expect(printPendingImpact(reportOf(ALL), styleFor(false)).join('\n')).toBe(
      [
        '2_change on this database',
        'Moved:',
        '  api::article.article price: 2 values moved, such as "much" (a reason)',
        'This does not fit the new schema:',
        '  api::article.article price: a reason (2 values, such as "much")',
        '    --map article.price:much=…',
        'This loses data:',
        '  api::article.article price: a reason (2 values, such as "much")',
        'This needs: cms migrate deploy --accept-data-loss --accept-invalid',
        'Counted when they are applied: 3_later',
      ].join('\n'),
    );
  });

  it('says that no flag is needed where the migration accepts all', () => {
    const report = reportOf(ALL, ['loss', 'invalid']);
    expect(printPendingImpact(report, styleFor(false))).toContain(
      'The migration itself accepts this. No flag is needed.',
    );
  });

  it('reports what no flag accepts, and losses of tables without a model', () => {
    const table = { type: 'table articles', samples: [], remedy: null };
    const report = reportOf([
      { ...table, kind: 'invalid', path: 'slug', values: 2, reason: 'it is not unique', isRejected: true },
      { ...table, kind: 'dropped', path: 'teaser', values: 1, reason: 'the column is dropped' },
    ]);
    expect(report).toMatchObject({
      counted: '2_change',
      changes: [{ kind: 'dropped', type: 'table articles', path: 'teaser', values: 1 }],
      violations: ['table articles slug: it is not unique (2 rows)'],
      needs: ['--accept-data-loss'],
    });
    const text = printPendingImpact(report, styleFor(false)).join('\n');
    expect(text).toContain(
      'The existing rows do not fit the new schema:\n' +
        '  table articles slug: it is not unique (2 rows)\n' +
        'No flag accepts this. Change the rows first, or relax the constraint.',
    );
    expect(printPendingComments(report)).toBe(
      [
        '-- 2_change on this database:',
        '-- would lose: table articles teaser: the column is dropped (1 row)',
        '-- violates: table articles slug: it is not unique (2 rows)',
        '-- No flag accepts this. Change the rows first, or relax the constraint.',
        '-- Counted when they are applied: 3_later',
        '',
      ].join('\n'),
    );
  });

  it('is empty where nothing is pending', () => {
    const report = reportPendingImpact({ counted: null, uncounted: [] });
    expect(report).toEqual({ counted: null, changes: [], violations: [], needs: [], uncounted: [] });
    expect(printPendingImpact(report, styleFor(false))).toEqual([]);
    expect(printPendingComments(report)).toBe('');
  });
});
