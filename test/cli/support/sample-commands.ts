import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../../src/cli/base-command.js';
import type { DataLoss } from '../../../src/cli/prompts/confirmation.js';
import { acceptDataLossFlag } from '../../../src/cli/flags.js';
import type { Outcome } from '../../../src/cli/outcome.js';
import { secretFlags } from '../../../src/cli/prompts/secret.js';
import { createError } from '../../../src/errors/catalogue.js';

export class Greet extends BaseCommand<typeof Greet> {
  static override id = 'sample:greet';
  static override args = { who: Args.string({ required: true }), rest: Args.string() };
  static override flags = {
    loud: Flags.boolean(),
    tone: Flags.string({ options: ['formal', 'friendly'] }),
    times: Flags.integer(),
  };

  async run(): Promise<Outcome> {
    this.info('greeting');
    this.warn('careful');
    return { json: { who: this.args.who, loud: this.flags.loud }, text: `hello ${this.args.who}` };
  }
}

export class Ask extends BaseCommand<typeof Ask> {
  static override id = 'sample:ask';
  static override args = { dir: Args.string() };
  static override flags = {
    name: Flags.string(),
    template: Flags.string(),
    ...secretFlags('password', 'The password.'),
  };

  async run(): Promise<Outcome> {
    const dir = await this.promptIfMissing('<dir>', this.args.dir, (prompts, screen) =>
      prompts.input({ message: 'Folder' }, screen),
    );
    const name = await this.promptIfMissing('name', this.flags.name, (prompts, screen) =>
      prompts.input({ message: 'Name' }, screen),
    );
    const template = await this.promptIfMissing(
      'template',
      this.flags.template,
      (prompts, screen) => prompts.input({ message: 'Template' }, screen),
      'blank',
    );
    const password = await this.secret('password', 'Password');
    return { json: { dir, name, template, password } };
  }
}

export class Drop extends BaseCommand<typeof Drop> {
  static override id = 'sample:drop';
  static override flags = { ...acceptDataLossFlag, none: Flags.boolean(), routine: Flags.boolean() };

  async run(): Promise<Outcome> {
    const losses: readonly DataLoss[] = [
      {
        what: 'article.title',
        type: 'api::article.article',
        path: 'title',
        rows: 3,
        reason: 'the column is dropped',
      },
    ];
    if (this.flags.routine === true) await this.confirm('Write two files?');
    await this.confirmDataLoss(this.flags.none === true ? [] : losses);
    return { json: { dropped: true }, text: 'dropped' };
  }
}

export class Throw extends BaseCommand<typeof Throw> {
  static override id = 'sample:throw';
  static override args = { what: Args.string({ required: true }) };

  async run(): Promise<Outcome> {
    if (this.args.what === 'pending') return { json: { pending: 1 }, text: '1 pending', exitCode: 4 };
    if (this.args.what === 'surprise')
      throw new TypeError('x is not a function', { cause: new Error('the root of it') });
    if (this.args.what === 'project') return { json: { root: this.projectRoot } };
    if (this.args.what === 'progress') {
      const sum = await this.progress('Counting', async (progress) => {
        progress.update('half way');
        return 2;
      });
      return { json: { sum }, text: String(sum) };
    }
    const details = {
      errors: [{ path: ['title'], message: 'is too long', name: 'ValidationError' }],
    } as const;
    throw createError('request/invalid-values', { summary: '1 error occurred' }, { details });
  }
}

export const cwd = process.cwd();
