import { describe, expect, it } from 'vitest';
import { accountOf, printAccount, printAccountComments } from '../../../src/cli/migrations/account.js';
import { confirmAccount } from '../../../src/cli/migrations/confirm-account.js';
import { styleFor } from '../../../src/cli/terminal/style.js';
import type { ContentChange } from '../../../src/migrations/content/content-plan.js';
import { createFakeTerminal } from '../../cli/support/fake-terminal.js';
import { defined } from '../../../src/lib/defined.js';
import { modelFrom } from '../../support/models.js';

const style = styleFor(false);

const change = (kind: ContentChange['kind'], rest: Partial<ContentChange> = {}): ContentChange => ({
  kind,
  type: 'api::article.article',
  path: 'price',
  values: 2,
  samples: [],
  reason: 'a reason',
  remedy: null,
  ...rest,
});

const DROPPED = change('dropped', { path: null, values: 1 });
const MISFIT = change('misfit', {
  path: 'sections[blocks.quote].colour',
  samples: ['"blue"'],
  remedy: '--map blocks.quote.colour:blue=…',
});

describe('the account of a migration', () => {
  it('is printed by kind, from what is safe to what is lost', () => {
    const account = [DROPPED, MISFIT, change('converted', { values: 270 }), change('moved')];
    expect(printAccount(account, style)).toBe(
      [
        'Moved:',
        '  api::article.article price: 2 values moved (a reason)',
        'Converted:',
        '  api::article.article price: 270 values converted (a reason)',
        'This does not fit the new schema:',
        '  api::article.article sections[blocks.quote].colour: a reason (2 values, such as "blue")',
        '    --map blocks.quote.colour:blue=…',
        'This loses data:',
        '  api::article.article: a reason (1 document)',
      ].join('\n'),
    );
    expect(printAccountComments([DROPPED, MISFIT])).toBe(
      '-- would not fit: api::article.article sections[blocks.quote].colour: a reason ' +
        '(2 values, such as "blue"); --map blocks.quote.colour:blue=…\n' +
        '-- would lose: api::article.article: a reason (1 document)\n',
    );
  });

  it('names tables and columns by type and attribute, and the documents of a type once', () => {
    const model = modelFrom({
      types: {
        article: { attributes: { title: { type: 'string' }, tags: { type: 'media', multiple: true } } },
      },
    });
    const { version, document } = defined(model.typesByUid['api::article.article'], 'The type').storage;
    const account = accountOf(model, {
      contentChanges: [MISFIT],
      losses: [
        { kind: 'table', table: version.table, rows: 7 },
        { kind: 'table', table: document.table, rows: 3 },
        { kind: 'column', table: version.table, column: 'title', rows: 5 },
        { kind: 'table', table: 'articles_tags_links', rows: 2 },
        { kind: 'unique', table: version.table, columns: ['title'], rows: 2 },
        { kind: 'table', table: 'notes', rows: 1 },
      ],
    });
    expect(account.map(({ type, path, values }) => [type, path, values])).toEqual([
      ['api::article.article', 'sections[blocks.quote].colour', 2],
      ['api::article.article', null, 3],
      ['api::article.article', 'title', 5],
      ['api::article.article', 'tags', 2],
      ['table notes', null, 1],
    ]);
  });
});

describe('the word on an account', () => {
  const cwd = process.cwd();
  const none = { acceptsDataLoss: false, acceptsMisfits: false };

  it.each([
    [[DROPPED], none, 'cli/data-loss'],
    [[MISFIT], none, 'cli/misfits'],
    [[DROPPED, MISFIT], none, 'cli/data-loss-and-misfits'],
    [[DROPPED, MISFIT], { ...none, acceptsDataLoss: true }, 'cli/misfits'],
    [[DROPPED, MISFIT], { ...none, acceptsMisfits: true }, 'cli/data-loss'],
  ] as const)('is an error without a terminal (%#)', async (account, accepted, code) => {
    const terminal = createFakeTerminal({ cwd });
    const options = { canPrompt: false, style };
    await expect(confirmAccount(terminal, account, accepted, options)).rejects.toMatchObject({
      code,
      details: { changes: account },
    });
    expect(terminal.err()).toBe(`${printAccount(account, style)}\n`);
  });

  it('is given by flags, and not needed for what is kept', async () => {
    const options = { canPrompt: false, style };
    const kept = [change('moved'), change('converted')];
    expect(await confirmAccount(createFakeTerminal({ cwd }), kept, none, options)).toEqual(none);
    const accepted = { acceptsDataLoss: true, acceptsMisfits: true };
    const all = [DROPPED, MISFIT, ...kept];
    expect(await confirmAccount(createFakeTerminal({ cwd }), all, accepted, options)).toEqual(accepted);
  });

  it.each([
    ['y', 'y', null],
    ['n', '', 'cli/data-loss'],
    ['y', 'n', 'cli/misfits'],
  ] as const)('is asked for on a terminal, about each of the two (%s, %s)', async (loss, misfit, code) => {
    const terminal = createFakeTerminal({ cwd, tty: true });
    const done = confirmAccount(terminal, [DROPPED, MISFIT], none, { canPrompt: true, style }).then(
      () => null,
      (error: { readonly code: string }) => error.code,
    );
    await terminal.waitForText('Lose this data?');
    terminal.type(`${loss}\r`);
    if (misfit !== '') {
      await terminal.waitForText('Keep the values that do not fit as they are?');
      terminal.type(`${misfit}\r`);
    }
    expect(await done).toBe(code);
  });
});
