import { describe, expect, it } from 'vitest';
import { confirmImpact } from '../../../../src/cli/prompts/confirmation.js';
import { printImpact, printImpactComments } from '../../../../src/cli/migrations/print-impact.js';
import { styleFor } from '../../../../src/cli/terminal/terminal.js';
import type { DataImpact } from '../../../../src/migrations/impact/data-impact.js';
import { createFakeTerminal } from '../../../cli/support/fake-terminal.js';

const style = styleFor(false);

const change = (kind: DataImpact['kind'], rest: Partial<DataImpact> = {}): DataImpact => ({
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
const INVALID = change('invalid', {
  path: 'sections[blocks.quote].colour',
  samples: ['"blue"'],
  remedy: '--map blocks.quote.colour:blue=…',
});

describe('the impact of a migration', () => {
  it('is printed by kind, from what is safe to what is lost', () => {
    const impact = [DROPPED, INVALID, change('converted', { values: 270 }), change('moved')];
    expect(printImpact(impact, style)).toBe(
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
    expect(printImpactComments([DROPPED, INVALID])).toBe(
      '-- would not fit: api::article.article sections[blocks.quote].colour: a reason ' +
        '(2 values, such as "blue"); --map blocks.quote.colour:blue=…\n' +
        '-- would lose: api::article.article: a reason (1 document)\n',
    );
  });
});

describe('the word on an impact', () => {
  const cwd = process.cwd();
  const none = { acceptsDataLoss: false, acceptsInvalid: false };

  it.each([
    [[DROPPED], none, 'cli/data-loss'],
    [[INVALID], none, 'cli/invalid-values'],
    [[DROPPED, INVALID], none, 'cli/data-loss-and-invalid-values'],
    [[DROPPED, INVALID], { ...none, acceptsDataLoss: true }, 'cli/invalid-values'],
    [[DROPPED, INVALID], { ...none, acceptsInvalid: true }, 'cli/data-loss'],
  ] as const)('is an error without a terminal (%#)', async (impact, accepted, code) => {
    const terminal = createFakeTerminal({ cwd });
    const options = { canPrompt: false, style };
    await expect(confirmImpact(terminal, impact, accepted, options)).rejects.toMatchObject({
      code,
      details: { changes: impact },
    });
    expect(terminal.err()).toBe(`${printImpact(impact, style)}\n`);
  });

  it('is refused where the database rejects rows', async () => {
    const rejected = change('invalid', { isRejected: true });
    const accepted = { acceptsDataLoss: true, acceptsInvalid: true };
    await expect(
      confirmImpact(createFakeTerminal({ cwd }), [rejected], accepted, { canPrompt: false, style }),
    ).rejects.toMatchObject({ code: 'migration/constraint-violation' });
  });

  it('is given by flags, and not needed for what is kept', async () => {
    const options = { canPrompt: false, style };
    const kept = [change('moved'), change('converted')];
    expect(await confirmImpact(createFakeTerminal({ cwd }), kept, none, options)).toEqual(none);
    const accepted = { acceptsDataLoss: true, acceptsInvalid: true };
    const all = [DROPPED, INVALID, ...kept];
    expect(await confirmImpact(createFakeTerminal({ cwd }), all, accepted, options)).toEqual(accepted);
  });

  it.each([
    ['y', 'y', null],
    ['n', '', 'cli/data-loss'],
    ['y', 'n', 'cli/invalid-values'],
  ] as const)('is asked for on a terminal, about each of the two (%s, %s)', async (loss, invalid, code) => {
    const terminal = createFakeTerminal({ cwd, tty: true });
    const done = confirmImpact(terminal, [DROPPED, INVALID], none, { canPrompt: true, style }).then(
      () => null,
      (error: { readonly code: string }) => error.code,
    );
    await terminal.waitForText('Lose this data?');
    terminal.type(`${loss}\r`);
    if (invalid !== '') {
      await terminal.waitForText('Keep the values that do not fit as they are?');
      terminal.type(`${invalid}\r`);
    }
    expect(await done).toBe(code);
  });
});
